/** The money for a whole evaluation. Every call reserves its highest price before it is made. */
export interface Budget {
  /** US dollars; null without a cap. */
  readonly limit: number | null;
  readonly spent: number;
  /** True once a call was refused for lack of money. */
  readonly isExhausted: boolean;
  /** Reserves money. Waits while calls under way may still free some; returns false when they cannot. */
  reserve(usd: number): Promise<boolean>;
  /** Replaces a reservation by the real price of the call. */
  settle(reserved: number, actual: number): void;
}

export function createBudget(limit: number | null, alreadySpent = 0): Budget {
  let spent = alreadySpent;
  let reserved = 0;
  let isExhausted = false;
  let waiting: (() => void)[] = [];
  return {
    limit,
    get spent() {
      return spent;
    },
    get isExhausted() {
      return isExhausted;
    },
    async reserve(usd) {
      for (;;) {
        if (isExhausted) return false;
        if (limit === null || spent + reserved + usd <= limit) {
          reserved += usd;
          return true;
        }
        // No call under way can free money. From now on no call is made, so that the missing answers form one block.
        if (reserved <= 0) {
          isExhausted = true;
          for (const wake of waiting) wake();
          return false;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    settle(amount, actual) {
      reserved = Math.max(0, reserved - amount);
      if (reserved < 1e-12) reserved = 0;
      spent += actual;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}
