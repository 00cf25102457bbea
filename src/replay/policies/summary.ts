import { tokensOf } from '../cache/block.ts';
import type { ReplayItem } from '../view/item.ts';
import { headLength, holdsResults, tailStart } from '../view/places.ts';
import type { AuxiliaryCall, Change, Policy, PolicyView } from './policy.ts';

/** Tokens a summary has and costs as output. Published summaries of coding sessions are 2,000 to 6,000. */
export const SUMMARY_TOKENS = 4_000;
/** Tokens that ask for it. */
export const INSTRUCTION_TOKENS = 1_000;
/** Newest tokens kept word for word, and most of the window that they may take. */
export const TAIL_TOKENS = 20_000;
const TAIL_SHARE = 0.1;

/** How a policy summarises: all of it data. */
export interface SummaryShape {
  /** What stays at the start. @default task */
  readonly head?: 'system' | 'task';
  /** Newest tokens that stay word for word, by window and by the size of the view. */
  readonly tail: (window: number, tokens: number) => number;
  readonly summaryTokens?: number;
  /** The call is the conversation itself with one more message. */
  readonly isAligned: boolean;
  /** Calls a pass makes. @default 1 */
  readonly calls?: number;
  /** What an unaligned call reads. @default folded: what goes */
  readonly reads?: 'folded' | 'all';
  /** Newest tokens of user messages that stay wherever they stand. @default 0 */
  readonly userTokens?: number;
}

export interface SummaryPolicy extends SummaryShape {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** Summarises when a request is larger. */
  readonly trigger: (window: number) => number;
}

/** A policy that summarises at a size and does nothing else. */
export function summaryPolicy({ id, title, note, trigger, ...shape }: SummaryPolicy): Policy {
  return {
    id,
    title,
    note,
    start: ({ window }) => ({
      before: (view) =>
        view.tokens > trigger(window)
          ? summaryOf(view, shape, `${view.tokens} tokens are above ${Math.round(trigger(window))}`)
          : null,
    }),
  };
}

/** Tail of the plain summaries: as much as most agents keep. */
export function usualTail(window: number): number {
  return Math.min(TAIL_TOKENS, Math.floor(window * TAIL_SHARE));
}

/** The view with everything between head and tail replaced by a summary; null when that is nothing, or no smaller. */
export function summaryOf(view: PolicyView, shape: SummaryShape, reason: string): Change | null {
  const { summaryTokens = SUMMARY_TOKENS, isAligned, calls = 1, reads = 'folded', userTokens = 0 } = shape;
  const head = headLength(view.view, shape.head ?? 'task');
  const start = tailStart(view.view, head, shape.tail(view.window, view.tokens));
  const middle = view.view.slice(head, start);
  const users = newestUsers(middle, userTokens);
  const goes = middle.filter((item) => !users.has(item));
  if (tokensOf(goes) <= summaryTokens) return null;
  const summary: ReplayItem = {
    index: null,
    id: `summary before request ${view.request}`,
    tokens: summaryTokens,
    role: 'user',
    isOutput: false,
    message: null,
  };
  const read = reads === 'folded' ? tokensOf(goes) : tokensOf(view.view);
  const call: AuxiliaryCall = {
    inputTokens: (isAligned ? view.tokens : read) + INSTRUCTION_TOKENS,
    outputTokens: summaryTokens,
    isAligned,
  };
  return {
    op: 'summary',
    view: [...view.view.slice(0, head), ...users, summary, ...view.view.slice(start)],
    calls: Array.from({ length: calls }, () => call),
    reason,
  };
}

function newestUsers(items: readonly ReplayItem[], tokens: number): ReadonlySet<ReplayItem> {
  const kept: ReplayItem[] = [];
  let left = tokens;
  for (const item of items.toReversed()) {
    if (item.role !== 'user' || item.index === null || holdsResults(item)) continue;
    left -= item.tokens;
    if (left < 0) break;
    kept.unshift(item);
  }
  return new Set(kept);
}
