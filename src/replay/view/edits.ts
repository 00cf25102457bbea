/** Changes of a view that several policies share. */
import { withParts } from '../../core/conversation/message.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import { tokensOf } from '../cache/block.ts';
import type { PolicySetup } from '../policies/policy.ts';
import { itemOf, type ReplayItem } from './item.ts';
import { headLength, tailStart } from './places.ts';

/** System prompt, task and the newest steps that fit into `tokens`. The very same view when nothing can go. */
export function truncated(view: readonly ReplayItem[], tokens: number): readonly ReplayItem[] {
  const head = headLength(view, 'task');
  const kept = view.slice(0, head);
  const start = tailStart(view, head, Math.max(1, tokens - tokensOf(kept)));
  return start <= head ? view : [...kept, ...view.slice(start)];
}

/** Text that providers and agents leave where an output was. */
const CLEARED = '[Old tool result content cleared]';

/** Puts a short note in the place of tool output. The same item gives the same note. */
export function createClearing(setup: PolicySetup): (item: ReplayItem) => ReplayItem {
  const measure = createMeasure({ id: 'replay', count: setup.count });
  const made = new WeakMap<ReplayItem, ReplayItem>();
  return (item) => {
    const known = made.get(item);
    if (known !== undefined) return known;
    if (item.message === null || !item.isOutput) return item;
    const parts = item.message.parts.map((part) =>
      part.type === 'tool-result'
        ? {
            type: part.type,
            callId: part.callId,
            content: [{ type: 'text' as const, text: CLEARED }],
            isError: part.isError,
          }
        : part,
    );
    const message = withParts(item.message, parts);
    const tokens = measure.message(message);
    const cleared = tokens >= item.tokens ? item : { ...itemOf(message, tokens, item.index), isOutput: false };
    made.set(item, cleared);
    return cleared;
  };
}

/** The view with the items at these indexes changed; the very same view when none is. */
export function mapAt(
  view: readonly ReplayItem[],
  indexes: ReadonlySet<number>,
  change: (item: ReplayItem) => ReplayItem,
): readonly ReplayItem[] {
  const next = view.map((item, at) => (indexes.has(at) ? change(item) : item));
  return next.every((item, at) => item === view[at]) ? view : next;
}
