import { createProgress, type Progress } from '../../screen/progress.ts';
import type { World } from '../../world.ts';

/** A bar with the answers so far, the time left and the money spent. */
export interface EvalProgress extends Progress {
  /** Adds finished answers. */
  step(count?: number): void;
}

const BAR = 20;
/** Shortest time between two redraws, in milliseconds. */
const EVERY_MS = 100;

export function createEvalProgress(world: World, total: number, spent: () => number): EvalProgress {
  const progress = createProgress(world, Number.POSITIVE_INFINITY);
  const started = world.now();
  let done = 0;
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    ...progress,
    step(count = 1) {
      done = Math.min(total, done + count);
      const now = world.now();
      if (now - drawn < EVERY_MS) return;
      drawn = now;
      progress.say(barText({ done, total, ms: now - started, usd: spent() }));
    },
  };
}

export function barText({ done, total, ms, usd }: Readonly<Record<'done' | 'total' | 'ms' | 'usd', number>>): string {
  const share = total === 0 ? 1 : done / total;
  const full = Math.round(share * BAR);
  const left = done === 0 ? '' : ` · ${durationText((ms / done) * (total - done))} left`;
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${total} answers${left}${usd > 0 ? ` · $${usd.toFixed(4)}` : ''}`;
}

export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
