import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startArm } from './arm-process.ts';
import { installPeers } from './install.ts';
import { inLanes } from './lanes.ts';
import type { PlacedArm, Progress } from './placed-arm.ts';
import type { ArmResult } from './results.ts';
import { startSummariser } from './summariser.ts';
import type { Arm } from './types.ts';

export interface PlaceOptions {
  readonly cache: string;
  readonly mayInstall: boolean;
  readonly lanes: number;
  readonly onProgress: Progress;
}

/** Installs what is missing and loads every arm once: which can run, in which versions, and why the others cannot. */
export async function placeArms(
  arms: readonly Arm[],
  { cache, mayInstall, lanes, onProgress }: PlaceOptions,
): Promise<{ readonly placed: readonly PlacedArm[]; readonly results: readonly ArmResult[] }> {
  const wanted = arms.flatMap(({ packages }) => (packages === null ? [] : [packages]));
  const installed = mayInstall ? await installPeers(cache, onProgress, wanted) : null;
  const summariser = await startSummariser();
  try {
    const results = await inLanes(arms, lanes, async (arm): Promise<ArmResult> => {
      const { id, title, how, summarises, counting, packages } = arm;
      const result = { id, title, how, versions: [], summarises, counting, failed: null };
      const install = packages === null ? undefined : installed?.get(packages);
      if (install?.type === 'failed') return { ...result, failed: install.reason };
      if (packages !== null && !existsSync(folderOf(arm, cache))) return { ...result, failed: 'not installed' };
      onProgress(`loading ${id}`);
      try {
        const process = await startArm(id, folderOf(arm, cache), summariser.place);
        await process.stop();
        return { ...result, versions: process.versions };
      } catch (error) {
        return { ...result, failed: error instanceof Error ? error.message : String(error) };
      }
    });
    const placed = arms.flatMap((arm, index) =>
      results[index]?.failed === null ? [{ arm, folder: folderOf(arm, cache) }] : [],
    );
    return { placed, results };
  } finally {
    await summariser.close();
  }
}

function folderOf({ packages }: Arm, cache: string): string {
  return packages === null ? '' : join(cache, packages);
}
