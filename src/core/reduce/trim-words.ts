import { type Message, type TextPart, withParts, withText } from '../conversation/message.ts';
import { safeCut } from '../language/cut.ts';
import { splitLines, splitProse } from '../language/passages.ts';
import { wordsLine } from './one-liner.ts';
import { stretchesOf } from './stretches.ts';

/** A user message that is too large for its view: the typed words and the edges of pasted stretches stay. */
export interface TrimmedWords {
  /** Passages that the shortest form leaves out, by their text. */
  readonly hidden: ReadonlySet<string>;
  /** The message with these hidden passages back in their places. They must come in the order they were said. */
  show(passages: readonly string[]): Message;
}

/** Most characters that each edge of a pasted stretch keeps: enough to see what was pasted. */
const EDGE_CHARS = 240;
/** About the length of the note in place of a gap: whatever splits a gap costs another one. */
const NOTE_CHARS = 120;
/** Share of a stretch's room for its beginning; the rest is for its end. */
const HEAD_SHARE = 0.6;

/**
 * Trims the words of a message to about `chars` characters. A pure function of the message, so the same message is always trimmed to the same
 * bytes. Null when nothing could be left out.
 *
 * @param whole says where the whole message is found
 */
export function trimWords(message: Message, chars: number, whole: string): TrimmedWords | null {
  const texts = message.parts.filter((part): part is TextPart => part.type === 'text');
  const rooms = divide(
    chars,
    texts.map(({ text }) => text.length),
  );
  const cuts = new Map(texts.map((part, index) => [part as unknown, piecesOf(part.text, rooms[index] ?? 0)]));
  const hidden = new Set([...cuts.values()].flat().flatMap((piece) => (piece.shown ? [] : [...piece.passages])));
  if (hidden.size === 0) return null;
  return {
    hidden,
    show: (passages) => {
      const left = new Set(passages.filter((text) => hidden.has(text)));
      const parts = message.parts.map((part) => {
        const pieces = cuts.get(part);
        if (part.type !== 'text' || pieces === undefined || pieces.every(({ shown }) => shown)) return part;
        const short = joined(pieces, left, whole);
        // With enough of its passages back, a text is shorter without the notes of what is left out.
        return short.length < part.text.length ? withText(part, short) : part;
      });
      return parts.every((part, index) => part === message.parts[index]) ? message : withParts(message, parts);
    },
  };
}

/** A stretch of the text that is shown, or a gap. */
type Piece =
  | { readonly shown: true; readonly text: string }
  | { readonly shown: false; readonly text: string; readonly passages: ReadonlySet<string> };

/** What people type is short, and stands at the ends or between what they paste: it comes first, from both ends inwards. */
function piecesOf(text: string, chars: number): readonly Piece[] {
  if (text.length <= chars) return [{ shown: true, text }];
  const stretches = stretchesOf(text);
  const kept = new Set<number>();
  let left = chars;
  for (const at of fromBothEnds([...stretches.keys()].filter((index) => stretches[index]?.typed))) {
    const joins = at === 0 || at === stretches.length - 1 || kept.has(at - 1) || kept.has(at + 1);
    const cost = (stretches[at]?.text.length ?? 0) + (joins ? 0 : NOTE_CHARS);
    if (cost > left) continue;
    kept.add(at);
    left -= cost;
  }
  const pasted = stretches.filter(({ typed }) => !typed).length;
  const edges = Math.max(0, Math.min(2 * EDGE_CHARS, left / Math.max(1, pasted) - NOTE_CHARS));
  return merged(
    stretches.flatMap(({ text: own, typed }, at) =>
      typed || kept.has(at) ? [{ shown: kept.has(at), text: own }] : edgesOf(own, edges),
    ),
  );
}

interface Cut {
  readonly shown: boolean;
  readonly text: string;
}

/** The first and last lines of a stretch with a gap between them. */
function edgesOf(text: string, chars: number): readonly Cut[] {
  if (text.length <= chars) return [{ shown: true, text }];
  const head = headOf(text, chars * HEAD_SHARE);
  const tail = tailOf(text, chars * (1 - HEAD_SHARE));
  if (head + tail >= text.length) return [{ shown: true, text }];
  return [
    { shown: true, text: text.slice(0, head) },
    { shown: false, text: text.slice(head, text.length - tail) },
    { shown: true, text: text.slice(text.length - tail) },
  ];
}

/** Characters of the whole lines at the beginning; a line that is too long itself is cut. */
function headOf(text: string, chars: number): number {
  const end = text.lastIndexOf('\n', Math.max(0, chars - 1)) + 1;
  return end > 0 ? end : safeCut(text, Math.floor(chars));
}

/** Characters of the whole lines at the end; of a line that is too long itself, the whole words, which someone may have typed behind a paste. */
function tailOf(text: string, chars: number): number {
  const start = Math.max(0, text.length - Math.floor(chars) - 1);
  for (const gap of ['\n', ' ']) {
    const from = text.indexOf(gap, start) + 1;
    if (from > 0 && from < text.length) return text.length - from;
  }
  return 0;
}

/** Neighbouring gaps become one. A gap that its own note would replace with more words is shown. */
function merged(cuts: readonly Cut[]): readonly Piece[] {
  const pieces: Cut[] = [];
  for (const cut of cuts) {
    const last = pieces.at(-1);
    if (cut.text === '') continue;
    if (last?.shown === cut.shown) pieces[pieces.length - 1] = { ...last, text: last.text + cut.text };
    else pieces.push(cut);
  }
  return pieces.map(({ shown, text }) =>
    shown || text.trim().length <= NOTE_CHARS
      ? { shown: true, text }
      : { shown: false, text, passages: passagesOf(text) },
  );
}

/** The record may read a pasted stretch as prose or as output. */
function passagesOf(text: string): ReadonlySet<string> {
  return new Set([...splitProse(text), ...splitLines(text.split('\n'))].map((span) => span.text));
}

function joined(pieces: readonly Piece[], left: Set<string>, whole: string): string {
  let text = '';
  for (const piece of pieces) {
    if (text !== '' && !text.endsWith('\n')) text += '\n';
    if (piece.shown) text += piece.text;
    else {
      const kept = [...left].filter((passage) => piece.passages.has(passage));
      for (const passage of kept) left.delete(passage);
      const missing = piece.text.length - kept.reduce((sum, passage) => sum + passage.length, 0);
      text += [wordsLine({ chars: Math.max(0, missing), whole, kept: kept.length > 0 }), ...kept].join('\n');
    }
  }
  return text.trimEnd();
}

/** Room for each of several texts: short ones stay whole, long ones share the rest. */
function divide(chars: number, lengths: readonly number[]): readonly number[] {
  const rooms = lengths.map(() => 0);
  let left = chars;
  const byLength = [...lengths.entries()].sort(([, a], [, b]) => a - b);
  for (const [at, [index, length]] of byLength.entries()) {
    const room = Math.min(length, Math.floor(left / (byLength.length - at)));
    rooms[index] = room;
    left -= room;
  }
  return rooms;
}

/** First, last, second, last but one, … */
function fromBothEnds<Item>(items: readonly Item[]): readonly Item[] {
  return items.map((_, at) => items[at % 2 === 0 ? at / 2 : items.length - (at + 1) / 2] as Item);
}
