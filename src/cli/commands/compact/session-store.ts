import type { Environment } from '../../../models/providers.ts';
import { contextIdOf, openForSession } from '../../store/contexts.ts';
import { openStore } from '../../store/open-store.ts';
import type { CompactJob } from './job.ts';
import type { Keeper } from './passes.ts';

export interface SessionStore {
  readonly keeper: Keeper;
  readonly close: () => Promise<void>;
}

/** Opens the store before any work is done. The keeper throws when the store fails, which ends the command. */
export async function openSessionStore(job: CompactJob, file: string, env: Environment): Promise<SessionStore> {
  const { flags, path, counter, document, progress } = job;
  const store = await openStore(file, env);
  const id = flags.context ?? contextIdOf(path);
  const context = await openForSession(
    { store, id, counter },
    { conversation: document.conversation, isNamed: flags.context !== undefined },
  );
  if (context.id !== id)
    progress.log(`the store has another session called ${id}; this one is stored as ${context.id}`);
  let failure: unknown = null;
  context.on('store:error', ({ error }) => {
    failure = error;
  });
  const orFail = <T>(value: T): T => {
    if (failure !== null) throw failure;
    return value;
  };
  return {
    keeper: {
      absorb: async (conversation) => orFail(await context.absorb(conversation)),
      accept: async (compaction) => orFail(await context.accept(compaction)),
    },
    close: async () => {
      await context.close();
      await store.close();
    },
  };
}
