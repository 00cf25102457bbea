import type { Entry } from './baseline.ts';
import { deviationOf } from './noise.ts';

/** One row beside the same of an earlier run. */
export type Compared =
  | {
      readonly type: 'same' | 'slower' | 'faster';
      readonly name: string;
      /** Time in yardsticks now by that of then: 1.07 is 7 % slower. */
      readonly ratio: number;
      /** More than this is slower than noise allows; less than 1 by this is faster. */
      readonly allowed: number;
    }
  | { readonly type: 'new' | 'gone'; readonly name: string };

/** Below this nobody is warned, however quiet the machine was: another process is another layout of memory. */
const LEAST_ALLOWED = 1.25;
const TIMES_NOISE = 3;

/** @param whole whether all was measured; only then is a row of the earlier run missing */
export function compare(now: readonly Entry[], then: readonly Entry[], whole: boolean): readonly Compared[] {
  const earlier = new Map(then.map((entry) => [entry.name, entry]));
  const names = new Set(now.map(({ name }) => name));
  const gone = whole ? then.filter(({ name }) => !names.has(name)) : [];
  return [
    ...now.map((entry) => compareOne(entry, earlier.get(entry.name))),
    ...gone.map(({ name }): Compared => ({ type: 'gone', name })),
  ];
}

/** What a row may differ by is a matter of its own noise, the larger of both runs. */
export function compareOne(now: Entry, then: Entry | undefined): Compared {
  if (then === undefined) return { type: 'new', name: now.name };
  const noise = Math.max(deviationOf(now), deviationOf(then));
  const allowed = Math.max(LEAST_ALLOWED, 1 + TIMES_NOISE * noise);
  const ratio = now.yardsticks / then.yardsticks;
  const type = ratio > allowed ? 'slower' : ratio < 1 / allowed ? 'faster' : 'same';
  return { type, name: now.name, ratio, allowed };
}

/** Sums up the comparison in sentences. */
export function verdict(compared: readonly Compared[]): readonly string[] {
  const slower = compared.flatMap((row) => (row.type === 'slower' ? [row] : []));
  const faster = compared.filter(({ type }) => type === 'faster').map(({ name }) => name);
  const fresh = compared.filter(({ type }) => type === 'new').map(({ name }) => name);
  const gone = compared.filter(({ type }) => type === 'gone').map(({ name }) => name);
  return [
    slower.length === 0
      ? 'No row is slower than noise allows.'
      : `Slower than noise allows: ${slower.map(({ name, ratio, allowed }) => `${name} x${ratio.toFixed(2)} (up to x${allowed.toFixed(2)} is noise)`).join(', ')}.`,
    ...(faster.length === 0 ? [] : [`Faster: ${faster.join(', ')}.`]),
    ...(fresh.length === 0 ? [] : [`Not in the baseline: ${fresh.join(', ')}.`]),
    ...(gone.length === 0 ? [] : [`In the baseline but not measured: ${gone.join(', ')}.`]),
  ];
}
