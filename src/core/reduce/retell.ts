import { resultsIn } from '../conversation/hosted.ts';
import { type Message, resultTextOf, type ToolResultPart, textOf, toolCallsOf } from '../conversation/message.ts';
import { refOfCall, refOfResult } from '../conversation/ref.ts';
import { shortenArguments } from './arguments.ts';
import { mediaLine } from './one-liner.ts';
import { trimText } from './trim.ts';

/** The tag around a retold step: harnesses write such tags, so nobody takes the text for words of the user. */
const TAG = 'running_turn_state';

const NONE: ReadonlySet<string> = new Set();

/** A step to retell. */
export interface Retold {
  readonly step: readonly Message[];
  /** The newest request, if it stands within the turn: its words come first, as words of the user. */
  readonly asked: Message | null;
  /** Most characters of each result. */
  readonly chars: number;
}

/**
 * Tells the newest step of a turn as text of the user: words, calls and results. Nothing of the turn is left that a provider could want its
 * signed reasoning for, so the request begins a fresh turn. A pure function of the step.
 */
export function retellStep({ step, asked, chars }: Retold): Message {
  const results = new Map(step.flatMap(resultsIn).map((result) => [result.callId, result]));
  const lines = step.flatMap((message) => [
    ...(message.role === 'assistant' ? [textOf(message).trim()] : []),
    ...toolCallsOf(message).flatMap((call) => {
      const made = shortenArguments(call.arguments, NONE, refOfCall(call));
      const result = results.get(call.callId);
      return [`You called ${call.name} ${made}`, ...(result === undefined ? [] : toldResult(result, chars))];
    }),
  ]);
  const text = [
    `<${TAG}>`,
    'Your turn goes on. Its earlier steps are in the handoff above; this is its newest step, told as text:',
    ...lines.filter((line) => line !== ''),
    `</${TAG}>`,
  ].join('\n');
  const words = asked === null ? '' : textOf(asked).trim();
  if (words === '') return { role: 'user', speaker: 'host', parts: [{ type: 'text', text }] };
  return {
    role: 'user',
    parts: [
      { type: 'text', text: words },
      { type: 'text', text },
    ],
  };
}

function toldResult(result: ToolResultPart, chars: number): readonly string[] {
  const text = resultTextOf(result);
  const media = result.content.flatMap((item) =>
    item.type === 'image' || item.type === 'file' ? [mediaLine(item.type, item.mediaType ?? '')] : [],
  );
  const outcome = result.isError
    ? 'It failed:'
    : text === '' && media.length === 0
      ? 'It returned nothing.'
      : 'It returned:';
  return [outcome, ...(text === '' ? [] : [trimText(text, chars, refOfResult(result))]), ...media];
}
