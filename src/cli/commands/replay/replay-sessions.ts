import { createProgress } from '../../screen/progress.ts';
import type { World } from '../../world.ts';
import type { ReplaySettings, SessionOutcome } from './job.ts';
import type { GivenSession } from './sessions.ts';

const BAR = 20;

export interface ReplayOptions {
  readonly settings: ReplaySettings;
  readonly workers: number;
}

/** Replays every session, on threads unless `workers` is 0, and shows how far it is. */
export async function replaySessions(
  world: World,
  sessions: readonly GivenSession[],
  { settings, workers }: ReplayOptions,
): Promise<readonly SessionOutcome[]> {
  const progress = createProgress(world, Number.POSITIVE_INFINITY);
  const paths = sessions.map(({ path }) => path);
  const show = (done: number, path: string): void => {
    const filled = Math.round((BAR * done) / paths.length);
    progress.say(`${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done} of ${paths.length}  ${path}`);
  };
  show(0, '');
  try {
    if (workers > 0) {
      const { replayOnWorkers } = await import('./pool.ts');
      return await replayOnWorkers(paths, { workers, settings, onDone: show, onInterrupt: progress.clear });
    }
    const { replaySession } = await import('./job.ts');
    const outcomes: SessionOutcome[] = [];
    for (const path of paths) {
      outcomes.push(await replaySession(path, settings, (name) => world.open(name, {})));
      show(outcomes.length, path);
    }
    return outcomes;
  } finally {
    progress.clear();
  }
}
