/** Longest timer in milliseconds. Node fires longer ones at once. */
export const LONGEST_TIMER: number = 2 ** 31 - 1;

/** Resolves after this many milliseconds, or when the signal is aborted; never rejects. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true || ms <= 0) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, ms);
  signal?.addEventListener('abort', done, { once: true });
  return promise;
}
