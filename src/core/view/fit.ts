import type { Message } from '../conversation/message.ts';
import type { CompactPlan } from '../plan/plan.ts';
import type { Measure } from '../tokens/measure.ts';
import { type AssembledView, createAssembler } from './assemble.ts';

/** A view that fits its plan's limit, or the least size that the plan could reach. */
export type Fitted = FittedView | TooLarge;

/** The smallest view of a plan, when that exceeds the limit. */
export interface TooLarge {
  readonly type: 'too-large';
  readonly tokens: number;
  readonly messages: readonly Message[];
}

export interface FittedView {
  readonly type: 'fitted';
  readonly view: AssembledView;
  /** Measured tokens of the view. */
  readonly tokens: number;
}

/** A view this close to its limit is full: the rest would not hold another line. */
const FULL_SHARE = 0.99;
/** Guesses aim a little below the limit, so that most of them fit. */
const AIM_SHARE = 0.997;
const MOST_TRIES = 8;

/** How many passages were tried, what they were estimated at, and how large the view really was. */
interface Try {
  readonly passages: number;
  readonly estimated: number;
  readonly tokens: number;
}

/**
 * Carries out a plan: builds the view with as many of the chosen passages as really fit. The plan's sizes are estimates, so the number of
 * passages is found by measuring. The view never exceeds the limit.
 */
export function fitView(plan: CompactPlan, measure: Measure): Fitted {
  const { chosenTokens, limit } = plan.layout;
  const assemble = createAssembler(plan);
  let view = assemble(0);
  let fits: Try = { passages: 0, estimated: 0, tokens: measure.messages(view.messages) };
  if (fits.tokens > limit) return { type: 'too-large', tokens: fits.tokens, messages: view.messages };
  let fails: Try | null = null;
  const empty = fits;
  for (let tries = 0; tries < MOST_TRIES && fits.tokens < limit * FULL_SHARE; tries++) {
    const passages = nextGuess({
      empty,
      fits,
      fails,
      chosenTokens,
      aim: limit * AIM_SHARE,
      halve: tries % 3 === 2,
    });
    if (passages === null) break;
    const attempt = assemble(passages);
    const outcome = {
      passages,
      estimated: chosenTokens[passages - 1] ?? 0,
      tokens: measure.messages(attempt.messages),
    };
    if (outcome.tokens > limit) fails = outcome;
    else {
      fits = outcome;
      view = attempt;
    }
  }
  return { type: 'fitted', view, tokens: fits.tokens };
}

interface GuessInput {
  /** The view without any passage. */
  readonly empty: Try;
  readonly fits: Try;
  readonly fails: Try | null;
  readonly chosenTokens: readonly number[];
  readonly aim: number;
  readonly halve: boolean;
}

/** The next number of passages, strictly between what fits and what does not; null when there is none. */
function nextGuess({ empty, fits, fails, chosenTokens, aim, halve }: GuessInput): number | null {
  const high = fails === null ? chosenTokens.length + 1 : fails.passages;
  if (high - fits.passages <= 1) return null;
  // Real size grows about evenly with estimated size. If it does not, halving the gap still ends the search.
  const [from, to] = fails !== null ? [fits, fails] : fits.estimated > 0 ? [empty, fits] : [null, null];
  const perToken = from === null ? 1 : (to.tokens - from.tokens) / Math.max(1, to.estimated - from.estimated);
  const wanted = fits.estimated + (aim - fits.tokens) / Math.max(0.1, perToken);
  const aimed = halve ? Math.floor((high + fits.passages) / 2) : countUpTo(chosenTokens, wanted);
  return Math.min(high - 1, Math.max(fits.passages + 1, aimed));
}

/** How many of the rising values are at most `limit`. */
function countUpTo(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
