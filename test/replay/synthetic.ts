/** Sessions that never were, to measure rules on: log-normal growth, idle gaps, and plain ways to run a trigger over them. */

import { afterRequest, decideRent, NO_RENT, type RentRule } from '../../src/replay/break-even/rent-rule.ts';
import type { CacheRules } from '../../src/replay/cache/rules/cache-rules.ts';
import { seededRandom } from '../../src/replay/cache/seeded-random.ts';
import type { OptimumRequest } from '../../src/replay/optimum/problem.ts';

export const STABLE = 20_000;
export const AFTER = 50_000;
export const SUMMARY = 4_000;

/** 60 to 600 requests that add 2,500 tokens on average; three in a hundred come after six minutes to twelve hours. */
export function syntheticSession(seed: number): readonly OptimumRequest[] {
  const random = seededRandom(seed * 7919);
  const count = 60 + Math.floor(random() * 541);
  let at = 0;
  return Array.from({ length: count }, (_, index) => {
    // Longest gap twelve hours, evenly on a logarithmic scale.
    at += random() < 0.03 ? 360_000 * 120 ** random() : 20_000 + 40_000 * random();
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    // Mean of a log-normal is exp(m + s² / 2); s = 1.
    const appended = Math.round(Math.exp(Math.log(2_500) - 0.5 + normal));
    return { at, appended: index === 0 ? STABLE + appended : appended, outputTokens: 0, isLegalCut: true };
  });
}

export interface Run {
  readonly units: number;
  readonly events: readonly number[];
}

type Decide = (
  view: { readonly carried: number; readonly appended: number; readonly isCold: boolean },
  index: number,
) => boolean;

/** What a session costs when a summary is made wherever `decide` says so. Counted plainly, apart from optimum and cache. */
export function runTrigger(
  rules: CacheRules,
  requests: readonly OptimumRequest[],
  shape: RentRule['event'],
  decide: Decide,
): Run {
  let units = 0;
  let size = 0;
  const events: number[] = [];
  for (const [index, { at, appended }] of requests.entries()) {
    const isCold = index === 0 || at - (requests[index - 1]?.at ?? 0) > (rules.ttlMs ?? Number.POSITIVE_INFINITY);
    let live = isCold ? 0 : size;
    if (decide({ carried: size, appended, isCold }, index)) {
      events.push(index);
      units += (isCold || shape.call === 'unaligned' ? 1 : rules.read) * size + rules.output * shape.summary;
      size = shape.after;
      live = isCold ? 0 : shape.stable;
    }
    size += appended;
    units += rules.read * live + rules.write * (size - live);
  }
  return { units, events };
}

/** The rent rule over a session. */
export function runRent(rule: RentRule, requests: readonly OptimumRequest[]): Run {
  let state = NO_RENT;
  return runTrigger(rule.rules, requests, rule.event, (view) => {
    const full = { ...view, isLegalCut: true };
    const { compact } = decideRent(rule, state, full);
    state = afterRequest(rule, state, { ...full, leftTokens: compact ? rule.event.after : null });
    return compact;
  });
}
