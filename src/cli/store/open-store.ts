import { stat } from 'node:fs/promises';
import { PrecisError } from '../../core/errors.ts';
import { type Environment, firstSet } from '../../models/providers.ts';
import type { SqliteStore } from '../../stores/index.ts';
import type { World } from '../world.ts';

/** Holds the secret of encrypted stores, to keep it out of command lines. */
export const KEY_VARIABLE = 'PRECIS_STORE_KEY';

export async function openStore(file: string, env: Environment): Promise<SqliteStore> {
  const { sqliteStore } = await import('../../stores/index.ts');
  const key = firstSet([KEY_VARIABLE], env);
  return sqliteStore(file, key === null ? {} : { key: key.value });
}

/** Opens a store that must exist: commands that only read create none. */
export async function existingStore(world: World, file: string, env: Environment): Promise<SqliteStore> {
  const kind = await world.kindOf(file);
  if (kind === 'file' && (await stat(file)).size > 0) return openStore(file, env);
  const got = kind === 'none' ? 'but there is no such file' : kind === 'file' ? 'got an empty file' : `got a ${kind}`;
  throw new PrecisError('bad-input', `${file}: expected a store made by \`precis compact --store\`, ${got}`, {
    file,
  });
}
