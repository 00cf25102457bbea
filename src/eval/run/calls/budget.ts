/** Money for the whole evaluation. Every call reserves what it may cost before it is made. */
export interface Budget {
  /** US dollars; null without a cap. */
  readonly limit: number | null;
  readonly spent: number;
  /** True once a call was turned away. */
  readonly isExhausted: boolean;
  /** Waits while calls under way may leave room; false when there is none. */
  reserve(usd: number): Promise<boolean>;
  /** Ends a reservation with what the call really cost. */
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
        // Nothing under way could leave room. From now on nothing is asked, so that what is missing is missing in one piece.
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
