import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, memoryStore, openContext } from '../../src/index.ts';
import { o200k } from '../../src/models/o200k.ts';
import { sqliteStore } from '../../src/stores/index.ts';
import type { LoopRun } from './loop.ts';

/** Holds the context of a loop, and opens it anew from its store when asked. */
export interface Keeper {
  readonly context: () => Context;
  readonly restart: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** By how much a context overestimates a window that nobody told it. */
const BELIEF = 1.6;

export async function keeperOf({ spec, filler, stage, log }: LoopRun): Promise<Keeper> {
  const folder = spec.restart === 'sqlite' ? await mkdtemp(join(tmpdir(), 'precis-loops-')) : null;
  const store = folder === null ? memoryStore() : sqliteStore(join(folder, 'loop.db'));
  const contextWindow = filler.shape.overflow === null ? spec.window : Math.floor(spec.window * BELIEF);
  const open = async (): Promise<Context> => {
    const context = await openContext({
      id: 'loop',
      format: spec.format,
      models: [{ id: 'loop-model', contextWindow, maxOutput: stage.output }],
      store,
      // A host that learns nothing from usage counts exactly, unless the loop is about estimating.
      ...(spec.reportsUsage || !filler.shape.mayReport ? {} : { counter: o200k }),
    });
    context.on('compaction:end', ({ receipt }) => log.compacted(receipt));
    context.on('compaction:refused', ({ reason }) => log.note(`refused: ${reason}`));
    context.on('compaction:held', ({ reason }) => log.note(`held: ${reason}`));
    context.on('compaction:failed', (event) => log.note(`failed: ${JSON.stringify(event).slice(0, 200)}`));
    return context;
  };
  let context = await open();
  return {
    context: () => context,
    async restart() {
      await context.close();
      context = await open();
    },
    async end() {
      await context.close();
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}
