import { afterUndo } from '../../core/plan/guard.ts';
import { openTurnOf } from '../../core/reduce/reasoning.ts';
import { unchanged } from '../compaction/compaction-result.ts';
import type { ContextParts } from '../context-parts.ts';
import { countOne } from '../timeline/state.ts';
import { type Prepared, toPrepared } from './prepared.ts';

/** Goes back to the view before the last compaction. Returns null when there is none. */
export async function undo(parts: ContextParts): Promise<Prepared | null> {
  const { current } = parts.journal.timeline;
  return current === null ? null : selectView(parts, current.before, 'undo');
}

/** Goes to the view right after a compaction; null goes to the whole history. Throws for an unknown id. */
export async function restore(parts: ContextParts, id: string | null): Promise<Prepared> {
  parts.journal.timeline.viewOf(id);
  return selectView(parts, id, 'restore');
}

const OPEN_REASONING =
  'the turn under way holds reasoning that was signed under this view, so the view stays until the turn has ended';

async function selectView(parts: ContextParts, id: string | null, cause: 'undo' | 'restore'): Promise<Prepared> {
  const { journal, models, sizes, emitter, now } = parts;
  const { timeline } = journal;
  // The provider wants the reasoning of a running turn back, and no other view may hold it.
  if (openTurnOf(timeline.view()) !== null && openTurnOf(timeline.viewOf(id)) === null)
    return toPrepared(parts, unchanged(OPEN_REASONING));
  journal.record({ type: 'select', rows: timeline.rows.length, id, cause, at: now() });
  await journal.changeState({
    guard: afterUndo(sizes.history(), models.limits().rearm),
    counted: null,
    ...(cause === 'undo' ? countOne(journal.state, 'undone') : {}),
  });
  emitter.emit('view:selected', { id, cause, tokens: sizes.request() });
  return toPrepared(parts, unchanged(id === null ? 'the whole history again' : `the view of ${id} again`));
}
