import type { ModelFailure } from '../../core/model.ts';
import type { ModelWindow } from '../../core/tokens/window.ts';
import type { Prepared } from '../context.ts';
import type { ContextWorld } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import type { Compactor, Done } from './compactor.ts';
import type { ContextModels } from './models.ts';
import type { Sizes } from './sizes.ts';

/** What to do after a request failed. */
export interface Fallback {
  /** `retry`: send `prepared` again. `switch`: send it to `model`. `give-up`: nothing here can help. */
  readonly action: 'retry' | 'switch' | 'give-up';
  /** The model to ask; null when the context knows none. */
  readonly model: string | null;
  readonly reason: string;
  readonly failure: ModelFailure;
  readonly prepared: Prepared | null;
}

export interface FallbackInput {
  readonly world: ContextWorld;
  readonly models: ContextModels;
  readonly sizes: Sizes;
  readonly journal: Journal;
  readonly compactor: Compactor;
  readonly use: (model: string | ModelWindow) => Promise<void>;
  readonly compactToFit: () => Promise<Prepared>;
  readonly preparedAs: (done: Done) => Prepared;
}

/** Overflows in a row after which a smaller view is not tried again. */
const MOST_OVERFLOWS = 3;

/** An overflow teaches the window and compacts; other failures lead to the next model. Attempts are bounded: it never goes round for ever. */
export function createFallback(input: FallbackInput): (error: unknown) => Promise<Fallback> {
  const { world, models, sizes, journal, compactor, use, compactToFit, preparedAs } = input;
  const { state, change } = journal;
  const giveUp = (failure: ModelFailure, reason: string): Fallback => ({
    action: 'give-up',
    model: models.active()?.id ?? null,
    reason,
    failure,
    prepared: null,
  });
  const switchTo = async (model: ModelWindow | null, failure: ModelFailure, reason: string): Promise<Fallback> => {
    if (model === null) return giveUp(failure, reason);
    await use(model.id);
    return { action: 'switch', model: model.id, reason, failure, prepared: await compactToFit() };
  };
  const afterOverflow = async (failure: ModelFailure): Promise<Fallback> => {
    const before = sizes.now();
    const { learnedWindow } = failure;
    // The provider counted more than its window, whatever we thought: the next sizes are reckoned from that.
    const counted = Math.max(before, (learnedWindow ?? 0) + 1);
    const overflows = state.now.overflows + 1;
    await change({
      overflows,
      ...models.learn(learnedWindow, before),
      anchor: { counted, estimated: sizes.estimate() },
    });
    if (overflows > MOST_OVERFLOWS) return switchTo(models.larger(), failure, 'the view was too large again and again');
    const done = await compactor.run({ force: true });
    if (done.outcome !== 'refused' && done.outcome !== 'unchanged')
      return {
        action: 'retry',
        model: models.active()?.id ?? null,
        reason: done.reason,
        failure,
        prepared: preparedAs(done),
      };
    return switchTo(models.larger(), failure, done.reason);
  };
  return async (error) => {
    const failure = world.failureOf(error);
    if (failure.kind === 'overflow') return afterOverflow(failure);
    // Somebody wanted it to stop: no other model is asked for what nobody waits for.
    return failure.kind === 'aborted'
      ? giveUp(failure, failure.message)
      : switchTo(models.next(), failure, failure.message);
  };
}
