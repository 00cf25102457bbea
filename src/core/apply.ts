import { type AssembledView, createAssembler } from './assemble.ts';
import type { CompactPlan } from './policy/plan.ts';
import type { Measure } from './tokens/measure.ts';

export type Applied =
  | { readonly type: 'applied'; readonly view: AssembledView; readonly tokens: number }
  | { readonly type: 'too-large'; readonly tokens: number };

/** A view this close to the target is full: what is left would not hold another line. */
const FULL_SHARE = 0.985;
const MOST_TRIES = 7;

/**
 * Carries out a plan: the view with as many of the chosen passages as really fit. The plan's sizes are estimates, so the number of passages
 * is found by measuring; the target is never exceeded.
 */
export function applyPlan(plan: CompactPlan, measure: Measure, stripReasoning: boolean): Applied {
  const assemble = createAssembler(plan, stripReasoning);
  const all = plan.layout.chosen.length;
  let low = 0;
  let best = assemble(0);
  let bestTokens = measure.messages(best.messages);
  if (bestTokens > plan.target) return { type: 'too-large', tokens: bestTokens };
  let high = all + 1;
  let guess = all;
  for (let tries = 0; tries < MOST_TRIES && high - low > 1; tries++) {
    const view = assemble(guess);
    const tokens = measure.messages(view.messages);
    if (tokens <= plan.target) {
      low = guess;
      best = view;
      bestTokens = tokens;
      if (tokens >= plan.target * FULL_SHARE) break;
    } else high = guess;
    guess = nextGuess({ low, high, guess, tokens, target: plan.target, base: measure.messages(assemble(0).messages) });
  }
  return { type: 'applied', view: best, tokens: bestTokens };
}

interface Guess {
  readonly low: number;
  readonly high: number;
  readonly guess: number;
  readonly tokens: number;
  readonly target: number;
  readonly base: number;
}

/** Size grows about evenly with passages: aim straight at the target, but stay strictly between what fits and what does not. */
function nextGuess({ low, high, guess, tokens, target, base }: Guess): number {
  const aimed = tokens > base ? Math.floor((guess * (target - base)) / (tokens - base)) : high - 1;
  return Math.min(high - 1, Math.max(low + 1, aimed));
}
