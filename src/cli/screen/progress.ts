import type { World } from '../world.ts';

/** One line on a terminal that shows progress and disappears when the work is done. */
export interface Progress {
  /** Replaces the line. */
  say(text: string): void;
  /** Prints a line that stays. */
  log(text: string): void;
  /** Erases the line. */
  clear(): void;
}

/** Characters that are compacted in about half a second. */
const SHORT_WORK = 3_000_000;
const ERASE_LINE = '\r\u001b[K';

/**
 * The engine compacts without a pause in which progress could appear, so `work`, the number of characters, decides beforehand
 * whether the line is shown. Without a terminal only `log` prints.
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
