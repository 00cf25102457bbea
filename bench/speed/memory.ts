import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Pages are given back to the system by another thread, a moment after the collection. */
const SETTLE_MS = 20;

/**
 * Starts watching the memory of this process; the function it returns says the most it held since, less what it held at the start, in
 * bytes. Without the reset, which only Linux has, garbage of the time before hides a part of it.
 */
export async function watchMemory(): Promise<() => number> {
  for (let n = 0; n < 2; n++) {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await setTimeout(SETTLE_MS);
  }
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Another system: the figure is then too low rather than too high.
  }
  const before = process.memoryUsage.rss();
  return () => Math.max(0, mostHeld() - before);
}

/** Where there is no such file, the figure of the system, which on Linux would begin with the size of the parent process. */
function mostHeld(): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
