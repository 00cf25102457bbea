import { PrecisError } from '../../core/errors.ts';
import type { World } from '../world.ts';
import { CONFIG_FILE, type FoundConfig } from './config.ts';

/** The configuration in this file, if there is one. A file that was named must be there. */
export async function loadConfig(world: Pick<World, 'kindOf' | 'read'>, path?: string): Promise<FoundConfig | null> {
  const file = path ?? CONFIG_FILE;
  if ((await world.kindOf(file)) !== 'file') {
    if (path === undefined) return null;
    throw new PrecisError('bad-option', `expected \`--config\` to name a file, got \`${path}\``);
  }
  // Loaded here because the schema library takes longer to load than most commands take to run.
  const { parseConfig } = await import('./parse-config.ts');
  return { file, config: parseConfig(await world.read(file), file), isNamed: path !== undefined };
}
