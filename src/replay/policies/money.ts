/** What the policies share that decide by expected cost. Units are uncached input tokens. */
import { tokensOf } from '../blocks.ts';
import type { CacheRules, PolicyView } from '../types.ts';
import { SUMMARY_TOKENS, usualTail } from './summary.ts';
import { headLength, tailStart } from './view.ts';

export interface Expected {
  /** Size after an aligned summary now. */
  readonly after: number;
  /** Price of an event without the part that grows with the excess. */
  readonly event: number;
  /** What carrying one token through one request costs, idle times included. */
  readonly rate: number;
}

/** Probability of a cold request from what was seen, with one warm request assumed so that nothing is certain at the start. */
export function createColdShare(): (isCold: boolean) => number {
  let cold = 0;
  let all = 1;
  return (isCold) => {
    all += 1;
    cold += isCold ? 1 : 0;
    return cold / all;
  };
}

export function expectedOf(view: PolicyView, fixedTokens: number, coldShare: number): Expected {
  const { read, write, output }: CacheRules = view.rules;
  const head = headLength(view.view, 'task');
  const stable = fixedTokens + tokensOf(view.view.slice(0, head));
  const tail = tokensOf(view.view.slice(tailStart(view.view, head, usualTail(view.window))));
  const after = stable + SUMMARY_TOKENS + tail;
  return {
    after,
    event: read * after + output * SUMMARY_TOKENS + (write - read) * (after - stable),
    rate: (1 - coldShare) * read + coldShare * write,
  };
}
