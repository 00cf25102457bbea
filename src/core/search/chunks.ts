import { hostedIdOf, hostedResult } from '../conversation/hosted.ts';
import {
  type Message,
  type OpaquePart,
  resultTextOf,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
} from '../conversation/message.ts';
import { safeCut } from '../language/cut.ts';
import { describeCall } from '../record/calls/action.ts';
import { isLookup } from '../record/calls/action-kinds.ts';
import { outputLines } from '../record/calls/output.ts';
import type { IndexedChunk } from './search-index.ts';
import { wordsOf } from './words.ts';

/** Finds the call a result answers; undefined when it is not known. */
export type CallLookup = (callId: string) => ToolCallPart | undefined;

/** One part of a message as text that can be searched and read. */
export interface Section {
  readonly type: 'text' | 'reasoning' | 'call' | 'result';
  readonly text: string;
  /** The tool of a call, or of a result whose call is known; for such a result also the target. */
  readonly tool: string | null;
  readonly target: string;
  /** True for the output of a lookup: content that was there already, not news. */
  readonly isContent: boolean;
  readonly part: ToolCallPart | ToolResultPart | null;
}

/** A stretch of a section, which is indexed, found and shown as one. Offsets are those of the section's text. */
export interface Chunk {
  readonly section: number;
  readonly from: number;
  readonly to: number;
}

/** Chunks are about this long: a hundred tokens, a paragraph or a dozen lines. */
const CHUNK_CHARS = 420;
/** A line longer than this is cut at sentences, and where there are none at spaces. */
const LINE_CHARS = 560;

/** The parts of a message that have words, in order. The same message gives the same sections. */
export function sectionsOf(message: Message, callOf: CallLookup): readonly Section[] {
  const sections: Section[] = [];
  for (const [index, part] of message.parts.entries()) {
    if (part.type === 'opaque') sections.push(...hostedSections(part, index));
    else if (part.type === 'text' || part.type === 'reasoning')
      sections.push({ type: part.type, text: part.text, tool: null, target: '', isContent: false, part: null });
    else if (part.type === 'tool-call') {
      const text = outputLines(part.arguments).join('\n');
      sections.push({ type: 'call', text, tool: part.name, target: '', isContent: false, part });
    } else if (part.type === 'tool-result') {
      const call = callOf(part.callId);
      const action = call === undefined ? null : describeCall(call);
      sections.push({
        type: 'result',
        text: resultText(part),
        tool: call?.name ?? null,
        target: action?.target ?? '',
        isContent: action !== null && isLookup(action),
        part,
      });
    }
  }
  return sections;
}

function hostedSections(part: OpaquePart, index: number): readonly Section[] {
  if (part.hosted === undefined) return [];
  const { name, arguments: asked } = part.hosted;
  const result = hostedResult(part, hostedIdOf(part, index));
  const about = { tool: name, target: '', isContent: false };
  return [
    ...(asked === null ? [] : [{ ...about, type: 'call', text: outputLines(asked).join('\n'), part: null } as const]),
    ...(result === null ? [] : [{ ...about, type: 'result', text: resultText(result), part: result } as const]),
  ];
}

/** Unpacks JSON on one line, so that a string in it is plain text again. JSON on several lines can be read as it is. */
function resultText(part: ToolResultPart): string {
  const text = resultTextOf(part);
  const start = text.trimStart();
  const isPacked = (start.startsWith('{') || start.startsWith('[')) && !/\n[ \t]+"/.test(start.slice(0, 400));
  return isPacked ? outputLines(text).join('\n') : text;
}

/** Cuts sections into chunks. Only their texts matter, so that a message always gives the same chunks. */
export function cutSections(sections: readonly Section[]): readonly Chunk[] {
  return sections.flatMap(({ text, type }, section) =>
    cutText(text, type).map(({ from, to }) => ({ section, from, to })),
  );
}

/** The chunks of a message, as an index keeps them. */
export function chunksOf(message: Message, callOf: CallLookup): readonly IndexedChunk[] {
  const sections = sectionsOf(message, callOf);
  const contexts = sections.map(({ tool, target }) => wordsOf(`${tool ?? ''} ${target}`));
  return cutSections(sections).map(({ section, from, to }) => ({
    words: [...wordsOf((sections[section] as Section).text.slice(from, to)), ...(contexts[section] ?? [])],
  }));
}

/** Chunks the messages of one history, in order. Results can also be found by the words of their calls. */
export function createChunker(earlier: readonly Message[] = []): (message: Message) => readonly IndexedChunk[] {
  const calls = new Map<string, ToolCallPart>();
  const note = (message: Message): void => {
    for (const call of toolCallsOf(message)) calls.set(call.callId, call);
  };
  for (const message of earlier) note(message);
  return (message) => {
    note(message);
    return chunksOf(message, (callId) => calls.get(callId));
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

function cutText(text: string, type: Section['type']): readonly Stretch[] {
  const chunks: Stretch[] = [];
  let from = 0;
  let to = 0;
  const close = (): void => {
    if (to > from && /\S/.test(text.slice(from, to))) chunks.push({ from, to });
    from = to;
  };
  for (const line of linesOf(text)) {
    const isBreak = line.to - line.from <= 1 || /^#{1,6} /.test(text.slice(line.from, line.from + 7));
    const size = to - from;
    // A chunk ends when it is full, or at a paragraph when it is at least half full.
    if (size > 0 && (size + line.to - line.from > CHUNK_CHARS || (isBreak && size > CHUNK_CHARS / 2))) close();
    to = line.to;
  }
  close();
  // A call without arguments still happened, and can be found by its name.
  return chunks.length === 0 && type !== 'text' && type !== 'reasoning' ? [{ from: 0, to: text.length }] : chunks;
}

/** Lines with their line breaks, long ones by sentence. Every character is in exactly one. */
function linesOf(text: string): readonly Stretch[] {
  const lines: Stretch[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end + 1;
    if (to - from <= LINE_CHARS) lines.push({ from, to });
    // Pushed one by one: an endless line may have more pieces than a function can take arguments.
    else for (const piece of cutLine(text, { from, to })) lines.push(piece);
    from = to;
  }
  return lines;
}

const SENTENCE_END = /[.!?;。！？][)"'”’*`]*\s+|[。！？]/g;

function cutLine(text: string, { from: start, to: end }: Stretch): readonly Stretch[] {
  const lines: Stretch[] = [];
  let from = start;
  while (end - from > CHUNK_CHARS) {
    const window = text.slice(from, from + CHUNK_CHARS);
    let cut = -1;
    for (const match of window.matchAll(SENTENCE_END)) cut = match.index + match[0].length;
    if (cut < CHUNK_CHARS / 4) cut = window.lastIndexOf(' ') + 1;
    if (cut < CHUNK_CHARS / 4) cut = safeCut(window, CHUNK_CHARS);
    lines.push({ from, to: from + cut });
    from += cut;
  }
  if (from < end) lines.push({ from, to: end });
  return lines;
}
