import type { Fact } from '../facts/fact.ts';
import type { Summarizer } from '../model.ts';
import { headingsOf } from './answer.ts';
import { lengthsOfParts } from './length.ts';
import { type Part, splitIntoParts } from './parts.ts';
import { instructionsFor } from './prompt.ts';
import type { WriteInput } from './write.ts';

/** Share of a window that a request may fill: counts of other tokenizers differ. */
const WINDOW_SHARE = 0.8;
/** Tokens kept free for an answer when a model's maximum is unknown, and the most that are kept free. */
const ANSWER_TOKENS = 8_000;
const MOST_ANSWER_TOKENS = 32_000;
/** Facts that must be named take at most this share of a request. */
const FACTS_SHARE = 0.15;
/** And at most this share of the answer, which has to repeat them. */
const NAMED_SHARE = 0.5;
const PREVIOUS_SHARE = 0.25;
const SMALLEST_PART_TOKENS = 500;
/** Tokens of the request's own words around the data. */
const FRAME_TOKENS = 200;
/** A fact's line break, bullet and number. */
const FACT_OVERHEAD_TOKENS = 4;

/** The content of the requests for one summary. */
export interface RequestParts {
  readonly parts: readonly Part[];
  /** Tokens to ask for in the answer to each part. */
  readonly lengths: readonly number[];
  /** Entries that fit into no request; quotes cover them. */
  readonly omitted: number;
  readonly facts: readonly Fact[];
  readonly previous: string;
}

/** Cuts the folded entries into parts that fit the window; null when the window is too small for any. */
export function fitRequest(input: WriteInput, summarizer: Summarizer, window: number): RequestParts | null {
  const { count } = input;
  const instructions = instructionsFor(headingsOf(input.sections).map(({ title }) => title));
  const answers = answerTokens(summarizer, window);
  const free = Math.floor((window - Math.max(...answers)) * WINDOW_SHARE);
  const room = free - count(instructions) - FRAME_TOKENS;
  const facts = factsToName(input, room * FACTS_SHARE);
  const previous = headOf(input.previous, room * PREVIOUS_SHARE, count);
  const named = count(facts.map(({ text }) => text).join('\n')) + facts.length * FACT_OVERHEAD_TOKENS;
  const tokens = room - count(previous) - named;
  if (tokens < SMALLEST_PART_TOKENS) return null;
  const split = splitIntoParts(input.entries, { tokens, calls: input.maxCalls, count });
  // Whichever model of a chain answers must be able to write that much.
  const most = Math.min(...answers) * WINDOW_SHARE;
  const lengths = lengthsOfParts(input.tokens, split.parts, { previous: count(previous), most });
  return { ...split, lengths, facts, previous };
}

/** The heaviest facts that an answer of this length has room to repeat, in at most this many tokens. */
export function factsToName(
  { facts, tokens, count }: Pick<WriteInput, 'facts' | 'tokens' | 'count'>,
  most: number,
): readonly Fact[] {
  return withinTokens(byWeight(facts), Math.min(most, tokens * NAMED_SHARE), count);
}

/** Tokens of each model's longest answer. The window holds the answer too, and providers count its maximum, not its length. */
function answerTokens({ models }: Summarizer, window: number): readonly number[] {
  return models.map(({ maxOutput }) => Math.min(maxOutput ?? ANSWER_TOKENS, MOST_ANSWER_TOKENS, window / 4));
}

/** As many items as fit, in order. */
function withinTokens<T extends { readonly text: string }>(
  items: readonly T[],
  tokens: number,
  count: (text: string) => number,
): readonly T[] {
  let left = tokens;
  return items.filter(({ text }) => {
    left -= count(text) + 8;
    return left >= 0;
  });
}

function byWeight(facts: readonly Fact[]): readonly Fact[] {
  return facts.toSorted((one, other) => other.weight - one.weight);
}

function headOf(text: string, tokens: number, count: (text: string) => number): string {
  const size = count(text);
  if (size <= tokens) return text;
  const cut = text.slice(0, Math.floor((text.length * tokens) / size));
  return cut.slice(0, cut.lastIndexOf('\n') + 1);
}
