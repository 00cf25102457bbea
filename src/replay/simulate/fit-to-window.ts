import { tokensOf } from '../cache/block.ts';
import type { Change } from '../policies/policy.ts';
import { truncated } from '../view/edits.ts';
import type { ReplayItem } from '../view/item.ts';

/** Share of the window that a forced cut leaves. */
const FORCED_SHARE = 0.5;

export interface SettledChange {
  readonly change: Change;
  /** True when the window made the change. */
  readonly isForced: boolean;
}

/** Returns the change that a policy asked for, cut down where the window demands it; null when nothing changes. */
export function fitToWindow(
  change: Change | null,
  view: readonly ReplayItem[],
  { window, fixedTokens }: { readonly window: number; readonly fixedTokens: number },
): SettledChange | null {
  const asked = change === null ? null : { change, isForced: false };
  const wanted = change?.view ?? view;
  if (fixedTokens + tokensOf(wanted) <= window) return asked;
  const room = Math.max(0, Math.floor(window * FORCED_SHARE) - fixedTokens);
  const short = truncated(wanted, room);
  if (short.length === wanted.length) return asked;
  const reason = change === null ? 'the window is full' : `the window is full; ${change.reason}`;
  return { change: { op: 'truncate', view: short, calls: [], reason }, isForced: true };
}
