import type { ModelFailure } from '../../core/model.ts';
import type { ModelWindow } from '../../core/tokens/window.ts';
import type { CompactionResult } from '../compaction/compaction-result.ts';
import { runCompaction } from '../compaction/run.ts';
import type { ContextParts } from '../context-parts.ts';
import { type Prepared, toPrepared } from './prepared.ts';
import { useModel } from './use-model.ts';
import { inTokens, whatFills } from './what-fills.ts';

/** What to do after a request failed. */
export interface Fallback {
  /** `retry`: send `prepared` again. `switch`: send it to `model`. `give-up`: the context cannot help. */
  readonly action: 'retry' | 'switch' | 'give-up';
  /** Id of the model to ask; null when the context knows none. */
  readonly model: string | null;
  /** Why, in one sentence. */
  readonly reason: string;
  /** The error as the context read it: its kind, and the window that the provider named. */
  readonly failure: ModelFailure;
  /** The view to send; null when the action is `give-up`. */
  readonly prepared: Prepared | null;
}

/** After this many overflows in a row, the context stops trying smaller views. */
const MOST_OVERFLOWS = 3;

/**
 * Says what to do after a failed request. An overflow corrects the window and compacts; other failures lead to the next model. Attempts are
 * bounded, so the loop always ends.
 */
export async function fallback(parts: ContextParts, error: unknown): Promise<Fallback> {
  const failure = parts.world.failureOf(error);
  if (failure.kind === 'overflow') return afterOverflow(parts, failure);
  // The host stopped the request, so no other model is asked.
  if (failure.kind === 'aborted') return giveUp(parts, failure, failure.message);
  return switchTo(parts, parts.models.next(), { failure, reason: failure.message });
}

async function afterOverflow(parts: ContextParts, failure: ModelFailure): Promise<Fallback> {
  const { journal, models, sizes } = parts;
  const size = sizes.request();
  const { learnedWindow } = failure;
  const overflows = journal.state.overflows + 1;
  await journal.changeState({
    overflows,
    ...models.afterOverflow(learnedWindow, size),
    ...sizes.afterOverflow(learnedWindow),
    // No later answer can belong to the request that was refused.
    sent: null,
  });
  if (overflows > MOST_OVERFLOWS)
    return switchTo(parts, models.larger(), { failure, reason: whyNoMoreTries(parts, overflows) });
  const result = await runCompaction(parts, { force: true });
  if (result.outcome === 'refused' || result.outcome === 'unchanged')
    return switchTo(parts, models.larger(), { failure, reason: whyNotSmaller(parts, result) });
  // The host sends this view without preparing it again.
  await journal.changeState({ sent: sizes.estimate() });
  return {
    action: 'retry',
    model: models.active()?.id ?? null,
    reason: result.reason,
    failure,
    prepared: toPrepared(parts, result),
  };
}

function whyNoMoreTries(parts: ContextParts, overflows: number): string {
  const belief = parts.models.belief();
  const window = belief?.window ?? parts.models.limits().window;
  const source = belief?.isNamed === true ? 'as the provider says' : 'judging by the sizes that it refused';
  return (
    `the provider refused ${overflows} requests in a row as too long, and each was compacted before the next; ` +
    `its window seems to hold ${inTokens(window)}, ${source}; ${whatFills(parts)}`
  );
}

function whyNotSmaller(parts: ContextParts, { outcome, reason }: CompactionResult): string {
  const why =
    outcome === 'refused' ? `cannot be compacted: ${reason}` : 'is already below the size that compaction aims at';
  return `the provider refused the request as too long, and it ${why}; ${whatFills(parts)}`;
}

async function switchTo(
  parts: ContextParts,
  model: ModelWindow | null,
  why: Pick<Fallback, 'failure' | 'reason'>,
): Promise<Fallback> {
  if (model === null) return giveUp(parts, why.failure, why.reason);
  const prepared = await useModel(parts, model.id);
  return { action: 'switch', model: model.id, reason: why.reason, failure: why.failure, prepared };
}

function giveUp({ models }: ContextParts, failure: ModelFailure, reason: string): Fallback {
  return { action: 'give-up', model: models.active()?.id ?? null, reason, failure, prepared: null };
}
