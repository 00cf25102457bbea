import type { World } from '../world.ts';

/** One line on a terminal that says what is going on, and is gone when the work is. */
export interface Progress {
  /** Replaces the line. */
  say(text: string): void;
  /** Prints a line that stays. */
  log(text: string): void;
  /** Takes the line away. */
  clear(): void;
}

/** Characters that are compacted in about half a second. */
const SHORT_WORK = 3_000_000;
const ERASE_LINE = '\r\u001b[K';

/**
 * The engine works in one go, so there is no later moment to find out that it takes long: `work`, the number of characters to go through,
 * decides beforehand. Without a terminal only `log` prints.
 */
export function createProgress({ err, errScreen }: World, work: number): Progress {
  const isShown = errScreen.isTerminal && work > SHORT_WORK;
  const clear = (): void => {
    if (isShown) err(ERASE_LINE);
  };
  return {
    say: (text) => {
      if (isShown) err(`${ERASE_LINE}${text.slice(0, errScreen.columns - 1)}`);
    },
    log: (text) => {
      clear();
      err(`${text}\n`);
    },
    clear,
  };
}
