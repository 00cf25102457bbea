import { type Message, type Part, textOf, toolResultsOf, withParts } from '../conversation/message.ts';
import { refOfPrefix } from '../conversation/ref.ts';
import { numberMessages } from '../record/handoff/handoff-message.ts';
import { mediaLine } from '../reduce/one-liner.ts';
import { type TrimmedWords, trimWords } from '../reduce/trim-words.ts';
import type { Measure } from '../tokens/measure.ts';
import type { Reach } from './reach.ts';

/** A user message that is larger than its share of the room, in its shorter form. */
export interface ShortWords extends TrimmedWords {
  /** Index of the message. */
  readonly at: number;
  /** Tokens of its words in their shortest form, and how many fewer these are. */
  readonly tokens: number;
  readonly saved: number;
}

/** A message up to this share of the room stays word for word. */
const WHOLE_SHARE = 0.3;
/** The shortest form of a larger one takes at most this share; passages worth their tokens come back into it. */
const SHORT_SHARE = 0.15;
/** The shortest form never has fewer characters: a request must remain a request. */
const LEAST_CHARS = { usual: 400, deep: 400, least: 160 } as const;
/** Each try to reach the share in tokens takes this part of the characters of the one before. */
const SHRINK = 0.7;

/** The shorter form of a user message in the room it has; null when it may stay as it is, or cannot get shorter. Results in it stay. */
export function shortWords(
  messages: readonly Message[],
  at: number,
  { measure, room, reach }: { readonly measure: Measure; readonly room: number; readonly reach: Reach },
): ShortWords | null {
  const message = messages[at];
  if (message?.role !== 'user') return null;
  const results = toolResultsOf(message);
  const alone = results.length === 0 ? 0 : measure.message({ role: 'tool', parts: results });
  const whole = measure.message(message) - alone;
  // At its least, a message has one size, whatever the room: a target that works keeps working when it grows.
  const isLeast = reach === 'least';
  if (!isLeast && whole <= room * WHOLE_SHARE) return null;
  const source = `message #${numberMessages(messages)[at]} ${refOfPrefix(messages, at + 1)}`;
  // Pictures go before words do.
  const worded = reach === 'usual' ? message : withoutMedia(message, source);
  const least = LEAST_CHARS[reach];
  const size = measure.message(worded) - alone;
  const form = (words: TrimmedWords, tokens: number): ShortWords => ({ ...words, at, tokens, saved: whole - tokens });
  if (!isLeast && worded !== message && size <= room * WHOLE_SHARE)
    return form({ hidden: new Set(), show: () => worded }, size);
  let chars = isLeast ? least : (textOf(worded).length * room * SHORT_SHARE) / size;
  for (;;) {
    const trimmed = trimWords(worded, Math.max(least, chars), source);
    const tokens = trimmed === null ? size : measure.message(trimmed.show([])) - alone;
    if (tokens <= room * SHORT_SHARE || chars <= least) {
      const short = trimmed ?? { hidden: new Set<string>(), show: () => worded };
      return tokens >= whole ? null : form(short, tokens);
    }
    chars *= SHRINK;
  }
}

/** The message with a line in place of every picture and file. */
function withoutMedia(message: Message, source: string): Message {
  if (!message.parts.some(({ type }) => type === 'image' || type === 'file')) return message;
  const parts = message.parts.map((part): Part => {
    if (part.type !== 'image' && part.type !== 'file') return part;
    return { type: 'text', text: mediaLine(part.type, part.mediaType ?? '', source) };
  });
  return withParts(message, parts);
}
