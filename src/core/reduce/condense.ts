import { type HostedStep, hostedIdOf, hostedIn, hostedResult } from '../conversation/hosted.ts';
import {
  type Message,
  type OpaquePart,
  type Part,
  type ResultContent,
  resultTextOf,
  type TextPart,
  type ToolResultPart,
  withParts,
  withText,
} from '../conversation/message.ts';
import { type Ref, refOfCall, refOfResult } from '../conversation/ref.ts';
import type { DidEntry } from '../record/entry.ts';
import { shortenArguments } from './arguments.ts';
import { duplicateLine, isReduced, mediaLine, oneLiner } from './one-liner.ts';
import { trimText } from './trim.ts';

/** Results up to this many characters stay: a one-liner would hardly be shorter. */
export const SHORT_RESULT_CHARS = 200;

/** What condensing needs to know about one call. */
export interface CondensedCall {
  readonly entry: DidEntry | null;
  /** Passages of the entry that stay, by index. */
  readonly kept: readonly number[];
  /** Number of a later message that says the same and stays whole; null when there is none. */
  readonly keeper: number | null;
  /** Characters of the result to keep from its beginning and end; null to keep only what is in `kept`. */
  readonly trimChars: number | null;
}

/**
 * Condenses one message. The words of user and assistant stay, long results become one line with the passages worth keeping, long arguments are
 * shortened, media become notes, and reasoning goes. Returns the same object when nothing changed.
 *
 * @param calls details of the message's calls, by id
 */
export function condenseMessage(message: Message, calls: ReadonlyMap<string, CondensedCall>): Message {
  const hosted = new Map(hostedIn(message).map((step) => [step.call.callId, step]));
  const parts = message.parts.flatMap((part, index): readonly Part[] => {
    if (hosted.size === 0) return condensePart(part, calls);
    // Citations in the words point into results that are gone now, so the words stay alone.
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'opaque' || part.hosted === undefined) return condensePart(part, calls);
    const callId = hostedIdOf(part, index);
    return condenseHosted(part, hosted.get(callId) as HostedStep, calls.get(callId));
  });
  const same = parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index]);
  return same || parts.length === 0 ? message : withParts(message, parts);
}

function condensePart(part: Part, calls: ReadonlyMap<string, CondensedCall>): readonly Part[] {
  switch (part.type) {
    case 'text':
    case 'opaque':
      return [part];
    case 'image':
    case 'file':
      return [{ type: 'text', text: mediaLine(part.type, part.mediaType ?? '') }];
    case 'reasoning':
      return [];
    case 'tool-call': {
      if (part.signed === true) return [part];
      const call = calls.get(part.callId);
      const keep = new Set(call?.kept.map((index) => call.entry?.passages[index]?.text ?? '') ?? []);
      const short = shortenArguments(part.arguments, keep, refOfCall(part));
      if (short === part.arguments) return [part];
      const base = part.raw ?? part.base;
      return [
        {
          type: 'tool-call',
          callId: part.callId,
          name: part.name,
          arguments: short,
          ...(base === undefined ? {} : { base }),
        },
      ];
    }
    case 'tool-result':
      return [condenseResult(part, calls)];
  }
}

/** Only its provider could write a shorter result, so a line of text stands in place of it. Its call is named in that line. */
function condenseHosted(part: OpaquePart, step: HostedStep, about: CondensedCall | undefined): readonly Part[] {
  const result = hostedResult(part, step.call.callId);
  if (result !== null) return [{ type: 'text', text: reducedText(resultTextOf(result), refOfResult(result), about) }];
  if (step.result !== null || part.hosted?.arguments === null) return [];
  // Nobody sees what this call found, so it has a line of its own.
  const line = excerpt(step.call.arguments, refOfCall(step.call), about);
  return line.length < part.json.length ? [{ type: 'text', text: line }] : [part];
}

function condenseResult(part: ToolResultPart, calls: ReadonlyMap<string, CondensedCall>): ToolResultPart {
  const text = resultTextOf(part);
  const media = part.content.some((item) => item.type === 'image' || item.type === 'file');
  if (
    (ownTextOf(part).length <= SHORT_RESULT_CHARS && !media) ||
    isReduced(text) ||
    part.content.some((item) => item.type === 'opaque')
  )
    return part;
  const call = calls.get(part.callId);
  const ref = refOfResult(part);
  const replaced = reducedText(text, ref, call);
  if (replaced.length >= text.length && !media) return part;
  const notes = part.content.flatMap((item): readonly TextPart[] =>
    item.type === 'image' || item.type === 'file'
      ? [{ type: 'text', text: mediaLine(item.type, item.mediaType ?? '') }]
      : [],
  );
  const shorter = replaced.length < text.length ? replaced : text;
  // Providers refuse empty text, so a result that was only media is only notes.
  return withContent(part, shorter === '' ? notes : [textContent(part, shorter), ...notes]);
}

/** The text of a result without the notes that stand in place of media. */
function ownTextOf(part: ToolResultPart): string {
  return part.content.map((item) => (item.type === 'text' && !isReduced(item.text) ? item.text : '')).join('');
}

function reducedText(text: string, ref: Ref, call: CondensedCall | undefined): string {
  if (call !== undefined && call.keeper !== null) return duplicateLine(call.keeper, ref);
  return call !== undefined && call.trimChars !== null ? trimText(text, call.trimChars, ref) : excerpt(text, ref, call);
}

function excerpt(text: string, ref: string, call: CondensedCall | undefined): string {
  const entry = call?.entry ?? null;
  const kept = (call?.kept ?? [])
    .toSorted((left, right) => left - right)
    .map((index) => entry?.passages[index])
    .filter((passage) => passage !== undefined && passage.voice !== 'argument' && passage.voice !== 'removed');
  const lines = countLines(text);
  const head = oneLiner(entry, {
    lines: Math.max(0, lines - kept.length),
    tokens: Math.ceil(text.length / CHARS_PER_TOKEN),
    ref,
  });
  return [head, ...kept.map((passage) => passage?.text ?? '')].join('\n');
}

/** Only for telling a reader how much is missing; limits are checked with the real counter. */
const CHARS_PER_TOKEN = 4;

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The result's first text part with another text, so that a plain string stays a plain string on the wire. */
function textContent(part: ToolResultPart, text: string): TextPart {
  const first = part.content.find((item): item is TextPart => item.type === 'text');
  return first === undefined ? { type: 'text', text } : withText(first, text);
}

function withContent(part: ToolResultPart, content: readonly ResultContent[]): ToolResultPart {
  const base = part.raw ?? part.base;
  return {
    type: 'tool-result',
    callId: part.callId,
    content,
    isError: part.isError,
    ...(base === undefined ? {} : { base }),
  };
}
