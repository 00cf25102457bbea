import { type Message, textOf } from '../conversation/message.ts';
import { refOfPrefix } from '../conversation/ref.ts';
import type { Step } from '../conversation/steps.ts';
import { numberMessages } from '../record/handoff/handoff-message.ts';
import { type TrimmedWords, trimWords } from '../reduce/trim-words.ts';
import type { Measure } from '../tokens/measure.ts';

/** A user message that is larger than its share of the room, in its shorter form. */
export interface ShortWords extends TrimmedWords {
  /** Tokens of the shortest form. */
  readonly tokens: number;
}

/** A message up to this share of the room stays word for word. */
const WHOLE_SHARE = 0.3;
/** The shortest form of a larger one takes at most this share; passages worth their tokens come back into it. */
const SHORT_SHARE = 0.15;
/** The shortest form never has fewer characters: a request must remain a request. */
const LEAST_CHARS = 400;
/** Each try to reach the share in tokens takes this part of the characters of the one before. */
const SHRINK = 0.7;

/** The shorter form of a user message in the room it has; null when it may stay as it is, or cannot get shorter. */
export function shortWords(
  messages: readonly Message[],
  step: Step,
  { measure, room }: { readonly measure: Measure; readonly room: number },
): ShortWords | null {
  const message = messages[step.from];
  if (message?.role !== 'user' || step.to - step.from > 1) return null;
  const whole = measure.message(message);
  if (whole <= room * WHOLE_SHARE) return null;
  const source = `message #${numberMessages(messages)[step.from]} ${refOfPrefix(messages, step.to)}`;
  let chars = (textOf(message).length * room * SHORT_SHARE) / whole;
  for (;;) {
    const trimmed = trimWords(message, Math.max(LEAST_CHARS, chars), source);
    const tokens = trimmed === null ? whole : measure.message(trimmed.show([]));
    if (tokens <= room * SHORT_SHARE || chars <= LEAST_CHARS)
      return trimmed === null || tokens >= whole ? null : { ...trimmed, tokens };
    chars *= SHRINK;
  }
}
