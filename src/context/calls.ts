import { PrecisError } from '../core/errors.ts';
import type { ContextOptions } from './options.ts';

/** Decides when a call to a context may run. */
export interface Calls {
  /** Throws when the context is closed. */
  checkOpen(): void;
  /** Runs a call that changes the context, without waiting for others. Rejects when the context is closed or was opened for reading. */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** Queues a call behind the earlier ones, so that only one compaction runs at a time. Appends and undos do not wait in this queue. */
  enqueue<T>(work: () => Promise<T>): Promise<T>;
  enqueueWrite<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses further calls, waits for the last one, then runs `finish`. */
  close(finish: () => Promise<void>): Promise<void>;
}

export function createCalls({ id, access }: Pick<ContextOptions, 'id' | 'access'>): Calls {
  let isClosed = false;
  let lastQueued: Promise<unknown> = Promise.resolve();
  const checkOpen = (): void => {
    if (isClosed) throw new PrecisError('bad-option', `context ${id} is closed`, { id });
  };
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    checkOpen();
    if (access === 'read') throw new PrecisError('locked', `context ${id} was opened for reading`, { id });
    return work();
  };
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = lastQueued.then(work, work);
    lastQueued = result.catch(() => {});
    return result;
  };
  return {
    checkOpen,
    write,
    enqueue,
    enqueueWrite: (work) => enqueue(() => write(work)),
    async close(finish) {
      if (isClosed) return;
      isClosed = true;
      await lastQueued;
      await finish();
    },
  };
}
