import type { ModelWindow } from '../../core/tokens/window.ts';
import { unchanged } from '../compaction/compaction-result.ts';
import { runCompaction } from '../compaction/run.ts';
import type { ContextParts } from '../context-parts.ts';
import { type Prepared, toPrepared } from './prepared.ts';

/** Switches to another model. Compacts at once when the view is too large for it. */
export async function useModel(parts: ContextParts, model: string | ModelWindow): Promise<Prepared> {
  const { journal, models, sizes, emitter } = parts;
  const from = models.active()?.id ?? null;
  await journal.changeState({ ...models.afterSwitch(model), counted: null });
  const to = models.activeId();
  if (to !== from) emitter.emit('model:switched', { from, to, window: models.limits().window });
  const fits = sizes.request() <= models.limits().threshold;
  const result = fits ? unchanged('the view fits') : await runCompaction(parts, { force: false });
  // The next answer is one to this view: what was sent earlier went to another model.
  await journal.changeState({ sent: sizes.estimate() });
  return toPrepared(parts, result);
}
