/** What policies do to views: the parts that several of them share. */
import { toolResultsOf, withParts } from '../../core/conversation/message.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import { itemOf, tokensOf } from '../trace/blocks.ts';
import type { PolicySetup, ViewItem } from '../types.ts';

/** Items at the start that stay: the system prompt, and with `task` all up to the first thing the user said. */
export function headLength(view: readonly ViewItem[], keep: 'system' | 'task'): number {
  const firstOther = view.findIndex(({ role }) => role !== 'system');
  const system = firstOther < 0 ? view.length : firstOther;
  if (keep === 'system') return system;
  const task = view.findIndex((item) => item.role === 'user' && item.index !== null && !holdsResults(item));
  return task < 0 ? system : task + 1;
}

/** True for a message that answers calls: it may not stand without what is before it. */
export function holdsResults({ role, message }: ViewItem): boolean {
  return role === 'tool' || (message !== null && toolResultsOf(message).length > 0);
}

/** Where the newest items of at most so many tokens begin, a call never without its results. The last step stays in any case, unless `tokens` is 0. */
export function tailStart(view: readonly ViewItem[], head: number, tokens: number): number {
  if (tokens <= 0) return view.length;
  let start = view.length;
  let sum = 0;
  for (let at = view.length - 1; at >= head; at--) {
    const item = view[at] as ViewItem;
    sum += item.tokens;
    if (holdsResults(item)) continue;
    if (sum > tokens && start < view.length) break;
    start = at;
    if (sum > tokens) break;
  }
  return start;
}

/** System prompt, task and the newest steps that fit into so many tokens. The very same items when nothing can go. */
export function truncated(view: readonly ViewItem[], tokens: number): readonly ViewItem[] {
  const head = headLength(view, 'task');
  const kept = view.slice(0, head);
  const start = tailStart(view, head, Math.max(1, tokens - tokensOf(kept)));
  return start <= head ? view : [...kept, ...view.slice(start)];
}

/** Text that providers and agents leave where an output was. */
const CLEARED = '[Old tool result content cleared]';

/** Puts a short note in the place of tool output. The same item gives the same note. */
export function createClearing(setup: PolicySetup): (item: ViewItem) => ViewItem {
  const measure = createMeasure({ id: 'replay', count: setup.count });
  const made = new WeakMap<ViewItem, ViewItem>();
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
  view: readonly ViewItem[],
  indexes: ReadonlySet<number>,
  change: (item: ViewItem) => ViewItem,
): readonly ViewItem[] {
  const next = view.map((item, at) => (indexes.has(at) ? change(item) : item));
  return next.every((item, at) => item === view[at]) ? view : next;
}

/** Indexes of the outputs from `head` on that stand before the newest `tokens` of output. */
export function oldOutputs(view: readonly ViewItem[], head: number, tokens: number): readonly number[] {
  const old: number[] = [];
  let newer = 0;
  for (let at = view.length - 1; at >= head; at--) {
    const item = view[at] as ViewItem;
    if (!item.isOutput) continue;
    if (newer >= tokens) old.unshift(at);
    newer += item.tokens;
  }
  return old;
}
