/** One of two processes that use a file at the same time: it writes to contexts of its own, reads those of the other, and shares one. */

import type { Batch } from '../../src/context/store/store.ts';
import { PrecisError } from '../../src/core/errors.ts';
import { sqliteStore } from '../../src/stores/index.ts';

export interface PairTask {
  readonly file: string;
  readonly name: string;
  readonly own: readonly string[];
  readonly others: readonly string[];
  readonly shared: string;
  readonly operations: number;
}

export interface PairReport {
  readonly operations: number;
  /** Commits to each context that were acknowledged. */
  readonly commits: Readonly<Record<string, number>>;
  /** How often the other one was writing to the shared context. */
  readonly locked: number;
}

const task = JSON.parse(process.argv[2] ?? '') as PairTask;
// What is tested is who writes when, not what the disk keeps: waiting for it would only make the two meet less often.
const store = sqliteStore(task.file, { synchronous: 'normal', busyMs: 60_000 });
const commits: Record<string, number> = Object.fromEntries([...task.own, task.shared].map((id) => [id, 0]));
const batchFor = (id: string): Batch => {
  const n = commits[id] ?? 0;
  const text = `${task.name} ${n}`;
  return {
    messages: [
      {
        body: JSON.stringify({ by: task.name, n }),
        contents: [`${text} `.repeat(30)],
        at: n,
        chunks: [{ words: [`${task.name}${n}`] }],
      },
    ],
    events: [{ body: JSON.stringify({ by: task.name, n }), contents: ['the same for all '.repeat(20)], at: n }],
    state: text,
  };
};
const own = await Promise.all(task.own.map((id) => store.open(id, 'write')));
const others = await Promise.all(task.others.map((id) => store.open(id, 'read')));
const seen = others.map(() => 0);
let locked = 0;

for (let operation = 0; operation < task.operations; operation++) {
  const kind = operation % 10;
  const at = Math.floor(operation / 10) % own.length;
  const context = own[at];
  if (context === undefined) throw new Error('no context');
  if (kind < 6) await commitTo(context.id, context);
  else if (kind === 6) await follow(at);
  else if (kind === 7) await find(context);
  else await share();
}
await store.close();
process.stdout.write(JSON.stringify({ operations: task.operations, commits, locked } satisfies PairReport));

async function commitTo(id: string, context: { commit(batch: Batch): Promise<void> }): Promise<void> {
  await context.commit(batchFor(id));
  commits[id] = (commits[id] ?? 0) + 1;
}

/** Reads what the other one added since: numbers without a gap. */
async function follow(at: number): Promise<void> {
  const from = seen[at] ?? 0;
  const { messages, events } = (await others[at]?.loadAfter(from, from)) ?? { messages: [], events: [] };
  if (messages.length !== events.length) throw new Error('half of a batch');
  for (const [n, message] of messages.entries()) if (message.at !== from + n) throw new Error(`gap at ${from + n}`);
  seen[at] = from + messages.length;
}

async function find(context: (typeof own)[number]): Promise<void> {
  const last = (commits[context.id] ?? 0) - 1;
  const found = await context.search([`${task.name}${last}`], 3);
  if (last >= 0 && found[0]?.message !== last) throw new Error(`not found: ${last}`);
}

async function share(): Promise<void> {
  try {
    const context = await store.open(task.shared, 'write');
    await commitTo(task.shared, context);
    await context.close();
  } catch (error) {
    if (!PrecisError.is(error) || error.code !== 'locked') throw error;
    locked += 1;
  }
}
