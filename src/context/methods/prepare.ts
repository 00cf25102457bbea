import { isHeld } from '../../core/plan/guard.ts';
import { readPressure } from '../../core/tokens/pressure.ts';
import type { CompactNowOptions, PrepareOptions } from '../compaction/compact-options.ts';
import { type CompactionResult, unchanged } from '../compaction/compaction-result.ts';
import { runCompaction } from '../compaction/run.ts';
import type { ContextParts } from '../context-parts.ts';
import { countOne } from '../timeline/state.ts';
import { type Prepared, toPrepared } from './prepared.ts';

/** Compacts when that is due, tells the host about pressure, and returns the view to send. */
export async function prepare(parts: ContextParts, options: PrepareOptions): Promise<Prepared> {
  const { journal, models, sizes, emitter } = parts;
  const isReader = parts.options.access === 'read';
  const result = isReader ? null : await compactIfDue(parts, options);
  const { threshold } = models.limits();
  const tokens = sizes.view();
  const { reached, pressure, turnsLeft, state } = readPressure(journal.state.pressure, tokens, threshold);
  if (!isReader)
    await journal.changeState({
      pressure: state,
      sent: sizes.estimate(),
      ...countOne(journal.state, 'requests'),
    });
  if (reached !== null) emitter.emit('pressure', { level: reached, pressure, tokens, threshold, turnsLeft });
  const isHeldBack = tokens > threshold;
  const whyNot = isHeldBack
    ? 'compacting is held back: it would free too little now'
    : `${tokens} tokens fit into ${threshold}`;
  return toPrepared(parts, result ?? unchanged(whyNot));
}

/** Compacts even when that is not due. */
export async function compactNow(parts: ContextParts, options: CompactNowOptions): Promise<Prepared> {
  return toPrepared(parts, await runCompaction(parts, { ...options, force: true }));
}

/** Compacts when that is due, and tries once more when the result came too late. Returns null when it was not due. */
async function compactIfDue(parts: ContextParts, options: PrepareOptions): Promise<CompactionResult | null> {
  let result: CompactionResult | null = null;
  for (let tries = 0; tries < 2; tries++) {
    if (!isDue(parts)) return result;
    result = await runCompaction(parts, { ...options, force: false });
    const isTooLate = result.outcome === 'unchanged' && result.receipt === null;
    if (!isTooLate) return result;
  }
  return result;
}

function isDue({ journal, models, sizes }: ContextParts): boolean {
  const { threshold, window } = models.limits();
  const tokens = sizes.view();
  return tokens > threshold && (tokens > window || !isHeld(journal.state.guard, sizes.history()));
}
