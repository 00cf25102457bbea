/**
 * A process that writes and is killed. It says what it is about to do and what was acknowledged, one line each, synchronously: what the
 * parent has read has happened. With `killAt` it ends itself before that SQL call, which reaches every step of every operation.
 */
import { writeSync } from 'node:fs';
import { sqliteStore } from '../../src/stores/index.ts';
import { batchOf } from './batches.ts';
import { killBeforeCall } from './kill-before-call.ts';

export interface WriterTask {
  readonly file: string;
  readonly contexts: readonly string[];
  readonly rounds: number;
  readonly killAt: number | null;
  readonly key: string | null;
}

const task = JSON.parse(process.argv[2] ?? '') as WriterTask;
const say = (line: string): number => writeSync(1, `${line}\n`);

const calls = killBeforeCall(task.killAt);

/** Short, so that the timer renews while the loop is at work. */
const store = sqliteStore(task.file, { leaseMs: 30, ...(task.key === null ? {} : { key: task.key }) });
const step = async (name: string, work: () => Promise<unknown> | undefined): Promise<void> => {
  say(`step ${name}`);
  await work();
};

say('step open');
const open = await Promise.all(task.contexts.map((id) => store.open(id, 'write')));
const next = await Promise.all(open.map(async (context) => Number((await context.load()).state ?? -1) + 1));
for (let round = 0; round < task.rounds; round++) {
  for (const [at, id] of task.contexts.entries()) {
    const n = next[at] ?? 0;
    say(`step commit\nbegin ${at} ${n}`);
    await open[at]?.commit(batchOf(id, n));
    say(`done ${at} ${n}`);
    next[at] = n + 1;
  }
  if (round % 3 === 0) await step('load', () => open[0]?.loadAfter(2, 2));
  if (round % 3 === 1) await step('search', () => open[0]?.search(['everywhere', 'n3'], 5));
  if (round % 3 === 2) {
    await step('close', () => open[0]?.close());
    say('step open');
    const again = await store.open(task.contexts[0] ?? '', 'write');
    open[0] = again;
  }
  if (round % 4 === 3) {
    say('step open');
    const scratch = await store.open('scratch', 'write');
    say('step commit');
    await scratch.commit({ ...batchOf('scratch', round), events: [] });
    await step('close', () => scratch.close());
    await step('gc', () => store.gc({ contexts: ['scratch'], dryRun: false }));
  }
}
await step('close', () => store.close());
say(`calls ${calls()}`);
// How often the timer renews differs by run: the chosen call may not have come.
if (task.killAt !== null) process.kill(process.pid, 'SIGKILL');
