import { type Compaction, compact } from '../../../core/compact.ts';
import type { Conversation } from '../../../core/conversation/conversation.ts';
import { type CompactedView, chainStates, optionsFor } from './chain.ts';
import type { ArmInput, State } from './state.ts';

/** Makes states by cutting down old output, as close to the target as that gets, and folds nothing. */
export function condensedStates(armInput: ArmInput): Promise<readonly State[]> {
  return chainStates(armInput, { arm: 'condense-only', role: 'control' }, (view) => condensed(armInput, view));
}

/** Steps of the search for the smallest target that condensing alone reaches. */
const CONDENSE_TRIES = 4;

async function condensed(armInput: ArmInput, view: Conversation): Promise<CompactedView> {
  const { format, target } = armInput.planned;
  const made = async (size: number): Promise<Compaction | null> => {
    const compaction = await compact(view, format, optionsFor(armInput, size));
    return compaction.outcome === 'condensed' || compaction.outcome === 'trimmed' ? compaction : null;
  };
  let best = await made(target);
  let low = target;
  let high = armInput.measure.conversation(view);
  if (high <= target) return { view, calls: 0, usd: 0, invalid: null };
  for (let tries = 0; best === null || (tries < CONDENSE_TRIES && low > target); tries++) {
    if (tries >= CONDENSE_TRIES) return { view, calls: 0, usd: 0, invalid: 'condensing alone saves nothing' };
    const middle = (low + high) >> 1;
    const found = await made(middle);
    if (found === null) low = middle;
    else {
      best = found;
      high = middle;
    }
  }
  return { view: best.conversation, calls: 0, usd: 0, invalid: null };
}
