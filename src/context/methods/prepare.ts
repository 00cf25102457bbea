import { readPressure } from '../../core/tokens/pressure.ts';
import type { CompactNowOptions, PrepareOptions } from '../compaction/compact-options.ts';
import { type CompactionResult, unchanged } from '../compaction/compaction-result.ts';
import { type Due, dueNow } from '../compaction/due.ts';
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
  const tokens = sizes.request();
  const { reached, pressure, turnsLeft, state } = readPressure(journal.state.pressure, tokens, threshold);
  if (!isReader)
    await journal.changeState({
      pressure: state,
      sent: sizes.estimate(),
      ...countOne(journal.state, 'requests'),
    });
  const account = sizes.account();
  if (reached !== null) emitter.emit('pressure', { level: reached, pressure, tokens, threshold, turnsLeft, account });
  return toPrepared(parts, result ?? unchanged(whyNot(parts)));
}

/** Compacts even when that is not due. */
export async function compactNow(parts: ContextParts, options: CompactNowOptions): Promise<Prepared> {
  const result = await runCompaction(parts, { ...options, force: true });
  // The host may send this view without preparing it again.
  await parts.journal.changeState({ sent: parts.sizes.estimate() });
  return toPrepared(parts, result);
}

/** Compacts when that is due, and tries once more when the result came too late. Returns null when it was not due. */
async function compactIfDue(parts: ContextParts, options: PrepareOptions): Promise<CompactionResult | null> {
  let result: CompactionResult | null = null;
  for (let tries = 0; tries < 2; tries++) {
    const due = dueNow(parts);
    await tellOnce(parts, due);
    if (due.type !== 'due') return result;
    result = await runCompaction(parts, { ...options, force: false });
    const isTooLate = result.outcome === 'unchanged' && result.receipt === null;
    if (!isTooLate) return result;
  }
  return result;
}

/** Tells the host why a compaction is held back, once for each reason. */
async function tellOnce({ journal, emitter }: ContextParts, due: Due): Promise<void> {
  const heldFor = due.type === 'held' ? due.cause : null;
  if (heldFor === journal.state.heldFor) return;
  await journal.changeState({ heldFor });
  if (due.type === 'held') emitter.emit('compaction:held', { cause: due.cause, reason: due.reason });
}

function whyNot(parts: ContextParts): string {
  const due = dueNow(parts);
  if (due.type === 'held') return `compacting is held back: ${due.reason}`;
  if (due.type === 'due') return 'only the context that writes can compact';
  return `${parts.sizes.request()} tokens fit into ${parts.models.limits().threshold}`;
}
