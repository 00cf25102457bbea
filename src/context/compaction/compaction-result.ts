import type { Outcome, Receipt } from '../../core/receipt/receipt.ts';

/** The result of a compaction, with the reason for it. */
export interface CompactionResult {
  readonly outcome: Outcome;
  readonly receipt: Receipt | null;
  readonly reason: string;
}

export function unchanged(reason: string): CompactionResult {
  return { outcome: 'unchanged', receipt: null, reason };
}
