import { PrecisError } from '../core/errors.ts';
import type { ContextOptions } from './options.ts';

/** Decides when a call to a context may run. */
export interface Calls {
  /** Throws when the context is closed. */
  checkOpen(): void;
  /** Runs a call that changes the context, at once. Rejects when it is closed or was opened for reading. */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** Runs calls one after the other, so that there is one compaction at a time. Appends and undos do not wait for them. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  writeInTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Lets no further call in, and finishes after the last one. */
  close(finish: () => Promise<void>): Promise<void>;
}

export function createCalls({ id, access }: Pick<ContextOptions, 'id' | 'access'>): Calls {
  let isClosed = false;
  let lastTurn: Promise<unknown> = Promise.resolve();
  const checkOpen = (): void => {
    if (isClosed) throw new PrecisError('bad-option', `context ${id} is closed`, { id });
  };
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    checkOpen();
    if (access === 'read') throw new PrecisError('locked', `context ${id} was opened for reading`, { id });
    return work();
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(work, work);
    lastTurn = turn.catch(() => {});
    return turn;
  };
  return {
    checkOpen,
    write,
    inTurn,
    writeInTurn: (work) => inTurn(() => write(work)),
    async close(finish) {
      if (isClosed) return;
      isClosed = true;
      await lastTurn;
      await finish();
    },
  };
}
