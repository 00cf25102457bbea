/** Counts the SQL calls of this process, and ends it before one of them, as a power switch would. */
import { DatabaseSync, StatementSync } from 'node:sqlite';

export function killBeforeCall(killAt: number | null): () => number {
  let calls = 0;
  const count = (): void => {
    calls += 1;
    if (calls === killAt) process.kill(process.pid, 'SIGKILL');
  };
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql: string): void {
    count();
    exec.call(this, sql);
  };
  for (const name of ['run', 'get', 'all'] as const) {
    const original = StatementSync.prototype[name] as (...parameters: unknown[]) => unknown;
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...parameters: unknown[]) {
        count();
        return original.apply(this, parameters);
      },
    });
  }
  return () => calls;
}
