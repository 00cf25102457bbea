/**
 * A process that meets a disk that does not take any more, or may not be written, and tells what it got. It can be started as root, for
 * whom no file is read-only; it then becomes nobody once everything is loaded.
 */
import 'node:sqlite';
import type { Batch } from '../../src/context/store/store.ts';
import { PrecisError } from '../../src/core/errors.ts';
import { sqliteStore } from '../../src/stores/index.ts';

export interface DiskTask {
  readonly file: string;
  readonly what: 'fill' | 'read-only';
}

export interface DiskReport {
  readonly committed: number;
  readonly failures: readonly { readonly code: string; readonly message: string }[];
  /** Messages that could be read after it. */
  readonly read: number;
  readonly found: number;
}

const NOBODY = 65_534;
const { file, what } = JSON.parse(process.argv[2] ?? '') as DiskTask;
// Without a listener this signal, which a limit on file sizes sends, ends the process.
process.on('SIGXFSZ', () => undefined);
if (what === 'read-only' && process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

const failures: DiskReport['failures'][number][] = [];
const tried = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch (error) {
    if (!PrecisError.is(error)) throw error;
    failures.push({ code: error.code, message: error.message });
    return false;
  }
};
const batch = (n: number, chars: number): Batch => ({
  messages: [
    {
      body: '{"$c":0}',
      contents: [`${n} `.padEnd(chars, `text ${n} `)],
      at: n,
      chunks: [{ words: ['word', `n${n}`] }],
    },
  ],
  events: [],
  state: String(n),
});

const store = sqliteStore(file);
let committed = 0;
if (what === 'fill') {
  const context = await store.open('a', 'write');
  while (committed < 1_000 && (await tried(() => context.commit(batch(committed, 100_000))))) committed += 1;
  // Once more, to see that a failure does not leave a transaction open.
  await tried(() => context.commit(batch(committed, 1_000_000)));
} else {
  await tried(() => store.open('a', 'write'));
  await tried(() => store.open('new', 'write'));
}
const reader = await store.open('a', 'read');
const { messages } = await reader.load();
const report: DiskReport = {
  committed,
  failures,
  read: messages.length,
  found: (await reader.search(['word'], 5_000)).length,
};
await store.close();
process.stdout.write(JSON.stringify(report));
