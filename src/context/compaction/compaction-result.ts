import type { Outcome, Receipt } from '../../core/receipt/receipt.ts';

/** How a compaction came out. */
export interface CompactionResult {
  readonly outcome: Outcome;
  readonly receipt: Receipt | null;
  readonly reason: string;
}

export function unchanged(reason: string): CompactionResult {
  return { outcome: 'unchanged', receipt: null, reason };
}
