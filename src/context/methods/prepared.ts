import type { DecodeNote } from '../../core/format.ts';
import type { Outcome, Receipt } from '../../core/receipt/receipt.ts';
import type { Account } from '../../core/tokens/account.ts';
import type { CompactionResult } from '../compaction/compaction-result.ts';
import type { ContextParts } from '../context-parts.ts';

/** The view to send, and how it came about. */
export interface Prepared {
  /** The view in the wire format that came in. It stays the same object while nothing changes. */
  readonly request: unknown;
  /** Size of the request in tokens, with system prompt and tools. */
  readonly tokens: number;
  /** The same size, line by line. */
  readonly account: Account;
  /** Size of the request divided by the threshold. Above 1, compaction is due. */
  readonly pressure: number;
  /** `unchanged` when this call did not have to compact. */
  readonly outcome: Outcome;
  /** Receipt of the compaction that this call made or tried; null when there was none or it failed. */
  readonly receipt: Receipt | null;
  /** False when the view exceeds the window of the model in use and could not be made smaller. */
  readonly fits: boolean;
  /** The reason for the outcome, in one sentence. */
  readonly reason: string;
  /** What was changed in the request for a server that demands more than its format does; empty without `strict`. */
  readonly notes: readonly DecodeNote[];
}

/** Describes the current view and the last compaction for the host. */
export function toPrepared({ wire, sizes, models }: ContextParts, result: CompactionResult): Prepared {
  const tokens = sizes.request();
  return {
    request: wire.current().request,
    notes: wire.current().notes,
    tokens,
    account: sizes.account(),
    pressure: tokens / models.limits().threshold,
    outcome: result.outcome,
    receipt: result.receipt,
    fits: tokens <= models.ownWindow(),
    reason: result.reason,
  };
}
