/** Changes of a view that several policies share. */
import { withParts } from '../../core/conversation/message.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import { tokensOf } from '../cache/block.ts';
import type { PolicySetup } from '../policies/policy.ts';
import { itemOf, type ReplayItem } from './item.ts';
import { headLength, tailStart } from './places.ts';

/** Keeps system prompt, task and the newest steps that fit into `tokens`. Returns the same view when nothing can go. */
export function truncated(view: readonly ReplayItem[], tokens: number): readonly ReplayItem[] {
  const head = headLength(view, 'task');
  const kept = view.slice(0, head);
  const start = tailStart(view, head, Math.max(1, tokens - tokensOf(kept)));
  return start <= head ? view : [...kept, ...view.slice(start)];
}

/** Text that providers and agents put in place of a cleared output. */
const CLEARED = '[Old tool result content cleared]';

/** Creates a function that replaces tool output by a short note. The same item always gives the same note. */
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

/** Changes the items at these indexes. Returns the same view when none changes. */
export function mapAt(
  view: readonly ReplayItem[],
  indexes: ReadonlySet<number>,
  change: (item: ReplayItem) => ReplayItem,
): readonly ReplayItem[] {
  const next = view.map((item, at) => (indexes.has(at) ? change(item) : item));
  return next.every((item, at) => item === view[at]) ? view : next;
}
