import { PrecisError } from '../../../core/errors.ts';
import { catalog } from '../../../models/catalog/catalog.ts';
import { CATALOG_DATE } from '../../../models/catalog/catalog-data.ts';
import { type Environment, firstSet, PROVIDERS } from '../../../models/providers.ts';
import { CONFIG_FILE, environmentWith, type FoundConfig } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { complaintAbout } from '../../node-version.ts';
import { whole } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import type { Check } from './check.ts';
import type { Surroundings } from './surroundings.ts';

export function nodeCheck(version: string): Check {
  const complaint = complaintAbout(version);
  return { name: 'node', status: complaint === null ? 'ok' : 'failed', text: complaint ?? `Node.js ${version}` };
}

export async function tokenizerCheck(): Promise<Check> {
  try {
    const { o200k } = await import('../../../models/o200k.ts');
    const works = o200k.count('hello world') === 2;
    return {
      name: 'tokenizer',
      status: works ? 'ok' : 'failed',
      text: works ? 'o200k counts exactly' : 'o200k miscounts',
    };
  } catch {
    return { name: 'tokenizer', status: 'failed', text: 'o200k does not load; install the package again' };
  }
}

export function catalogCheck(): Check {
  return { name: 'catalogue', status: 'ok', text: `${whole(catalog.length)} models, as of ${CATALOG_DATE}` };
}

export async function folderCheck(surroundings: Surroundings): Promise<Check> {
  const can = await surroundings.canWrite('.');
  const text = can ? 'results can be written here' : 'results cannot be written here; give --out another folder';
  return { name: 'folder', status: can ? 'ok' : 'failed', text };
}

interface ConfigCheck {
  readonly check: Check;
  readonly found: FoundConfig | null;
  readonly env: Environment;
}

export async function configCheck(world: World, path: string | undefined, env: Environment): Promise<ConfigCheck> {
  try {
    const found = await loadConfig(world, path);
    const text = found === null ? `no ${CONFIG_FILE}, which is fine` : `${found.file} is valid`;
    const check: Check = { name: 'config', status: found === null ? 'missing' : 'ok', text };
    return { check, found, env: environmentWith(found, env) };
  } catch (error) {
    if (path !== undefined || !PrecisError.is(error)) throw error;
    return { check: { name: 'config', status: 'failed', text: error.message }, found: null, env };
  }
}

export function keyChecks(env: Environment): readonly Check[] {
  const needing = PROVIDERS.filter(({ needsKey }) => needsKey);
  const found = needing.flatMap((provider) => firstSet(provider.keys, env)?.name ?? []);
  const missing = needing.filter((provider) => firstSet(provider.keys, env) === null).map(({ id }) => id);
  const none: Check = { name: 'keys', status: 'missing', text: `none for ${shortList(missing)}; see precis models` };
  const some: Check = { name: 'keys', status: 'ok', text: found.join(', ') };
  return [...(found.length > 0 ? [some] : []), ...(missing.length > 0 ? [none] : [])];
}

function shortList(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
