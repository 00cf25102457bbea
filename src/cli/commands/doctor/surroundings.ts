import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Environment } from '../../../models/providers.ts';

/** The parts of the machine that only this command looks at. Tests pass their own. */
export interface Surroundings {
  readonly env: Environment;
  readonly nodeVersion: string;
  readonly fetch: typeof globalThis.fetch;
  canWrite(folder: string): Promise<boolean>;
}

export function realSurroundings(): Surroundings {
  return {
    env: process.env,
    nodeVersion: process.versions.node,
    fetch: globalThis.fetch,
    canWrite: (folder) =>
      access(folder, constants.W_OK).then(
        () => true,
        () => false,
      ),
  };
}
