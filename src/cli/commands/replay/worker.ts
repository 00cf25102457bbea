/** A thread that replays the sessions it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSessionFile } from '../../../sessions/index.ts';
import { type ReplaySettings, replaySession } from './job.ts';

const settings = workerData as ReplaySettings;

parentPort?.on('message', async ({ index, path }: { readonly index: number; readonly path: string }) => {
  const outcome = await replaySession(path, settings, (name) => openSessionFile(name));
  parentPort?.postMessage({ index, outcome });
});
