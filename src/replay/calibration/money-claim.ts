import type { PredictionError } from './usage-error.ts';

/** Whether the predictions are accurate enough to state money. */
export interface MoneyClaim {
  /** True when the error is at most 10 %. */
  readonly mayClaim: boolean;
  /** The larger of two errors: in the tokens read by each request, and in the price of sessions. Null when nothing was recorded. */
  readonly error: number | null;
  /** The verdict for people. */
  readonly sentence: string;
}

export interface ClaimBasis {
  readonly requests: number;
  readonly read: PredictionError;
  readonly sessionCost: PredictionError;
  readonly sessions: number;
}

/** With a larger error, a figure in dollars would promise too much. */
const MAX_ERROR = 0.1;

/** Decides whether a report may state money: only when the error is small enough. */
export function moneyClaimOf({ requests, read, sessionCost, sessions }: ClaimBasis): MoneyClaim {
  const over = `over ${sessions} session${sessions === 1 ? '' : 's'}`;
  if (requests === 0) {
    const sentence = 'No recorded cache usage to compare with: money is an estimate by the rules alone.';
    return { mayClaim: false, error: null, sentence };
  }
  if (read.wape === null || sessionCost.wape === null) {
    const sentence = `Cache reads are predicted where the log has none ${over}: tokens are reported, money is not.`;
    return { mayClaim: false, error: null, sentence };
  }
  const error = Math.max(read.wape, sessionCost.wape);
  const found = `Predicted and recorded cache usage differ by ${percent(error)} ${over}`;
  if (error <= MAX_ERROR) return { mayClaim: true, error, sentence: `${found}.` };
  const sentence = `${found}, more than ${percent(MAX_ERROR)}: tokens are reported, money is not.`;
  return { mayClaim: false, error, sentence };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
