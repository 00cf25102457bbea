import { PrecisError } from '../../../core/errors.ts';
import type { World } from '../../world.ts';

export interface GivenSession {
  readonly path: string;
  /** True when it was found in a folder, where files may hold anything. */
  readonly isFound: boolean;
}

/** The sessions at these paths; folders are searched. */
export async function sessionsAt(world: World, paths: readonly string[]): Promise<readonly GivenSession[]> {
  const sessions = new Map<string, GivenSession>();
  for (const path of paths) {
    if (path === '-')
      throw new PrecisError('bad-option', 'expected files or folders, got `-`; put the session in a file first');
    if ((await world.kindOf(path)) !== 'directory') sessions.set(path, { path, isFound: false });
    else {
      const found = await world.find(path);
      // The largest first: if one thread got it last, all others would wait.
      for (const each of found.toSorted((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0)))
        sessions.set(each.path, sessions.get(each.path) ?? { path: each.path, isFound: true });
    }
  }
  if (sessions.size > 0) return [...sessions.values()];
  throw new PrecisError('bad-input', `${paths.join(', ')}: expected sessions, found no file that may hold one`);
}
