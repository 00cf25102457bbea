/** Where the parts of a view begin and end: head, tail, old output. */
import { toolResultsOf } from '../../core/conversation/message.ts';
import type { ReplayItem } from './item.ts';

/** Counts the items at the start that stay: the system prompt, and with `task` everything up to the first user message. */
export function headLength(view: readonly ReplayItem[], keep: 'system' | 'task'): number {
  const firstOther = view.findIndex(({ role }) => role !== 'system');
  const system = firstOther < 0 ? view.length : firstOther;
  if (keep === 'system') return system;
  const task = view.findIndex((item) => item.role === 'user' && item.index !== null && !holdsResults(item));
  return task < 0 ? system : task + 1;
}

/** Says whether a message answers calls, so that it needs the messages before it. */
export function holdsResults({ role, message }: ReplayItem): boolean {
  return role === 'tool' || (message !== null && toolResultsOf(message).length > 0);
}

/**
 * Returns the index at which the newest items of at most `tokens` begin. It never separates a call from its results. The last step always stays,
 * unless `tokens` is 0.
 */
export function tailStart(view: readonly ReplayItem[], head: number, tokens: number): number {
  if (tokens <= 0) return view.length;
  let start = view.length;
  let sum = 0;
  for (let at = view.length - 1; at >= head; at--) {
    const item = view[at] as ReplayItem;
    sum += item.tokens;
    if (holdsResults(item)) continue;
    if (sum > tokens && start < view.length) break;
    start = at;
    if (sum > tokens) break;
  }
  return start;
}

/** Returns the indexes of the outputs from `head` on, except for the newest `tokens` of output. */
export function oldOutputs(view: readonly ReplayItem[], head: number, tokens: number): readonly number[] {
  const old: number[] = [];
  let newer = 0;
  for (let at = view.length - 1; at >= head; at--) {
    const item = view[at] as ReplayItem;
    if (!item.isOutput) continue;
    if (newer >= tokens) old.unshift(at);
    newer += item.tokens;
  }
  return old;
}
