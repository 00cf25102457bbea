import { tokensOf } from '../cache/block.ts';
import type { ReplayItem } from '../view/item.ts';
import { headLength, holdsResults, tailStart } from '../view/places.ts';
import type { AuxiliaryCall, Change, Policy, PolicyView } from './policy.ts';

/** Size of a summary in tokens, which are also billed as output. Published summaries of coding sessions have 2,000 to 6,000. */
export const SUMMARY_TOKENS = 4_000;
/** Size of the instruction that asks for a summary, in tokens. */
const INSTRUCTION_TOKENS = 1_000;
/** Newest tokens that stay word for word, and the largest share of the window that they may fill. */
const TAIL_TOKENS = 20_000;
const TAIL_SHARE = 0.1;

/** How a policy summarises. */
export interface SummaryShape {
  /** The start that stays: the system prompt, or everything up to the first user message. @default 'task' */
  readonly head?: 'system' | 'task';
  /** Newest tokens that stay word for word, by window and size of the request. */
  readonly tail: (window: number, tokens: number) => number;
  /** Tokens of the summary. @default 4,000 */
  readonly summaryTokens?: number;
  /** True when the call is the conversation plus one message, so that it reads the cache. */
  readonly isAligned: boolean;
  /** Model calls for one summary. @default 1 */
  readonly calls?: number;
  /** Messages that an unaligned call reads: the folded ones, or all. @default 'folded' */
  readonly reads?: 'folded' | 'all';
  /** Newest tokens of user messages that stay, wherever they are. @default 0 */
  readonly userTokens?: number;
}

/** A policy that summarises when a request reaches a size. */
export interface SummaryPolicy extends SummaryShape, Pick<Policy, 'id' | 'title' | 'note'> {
  /** Tokens above which a request is summarised, by window. */
  readonly trigger: (window: number) => number;
}

/** Makes a policy that only summarises, when a request reaches a size. */
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

/** Returns the newest tokens that plain summaries keep, as most agents do. */
export function usualTail(window: number): number {
  return Math.min(TAIL_TOKENS, Math.floor(window * TAIL_SHARE));
}

/** Replaces everything between head and tail by a summary. Returns null when that frees nothing. */
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
