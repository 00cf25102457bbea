/** Starts writers, kills them, and looks at what they left. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { sqliteStore } from '../../src/stores/index.ts';
import { batchOf } from './batches.ts';
import type { WriterTask } from './writer.ts';

export interface KillReport {
  readonly kills: number;
  /** Kills by what the writer was doing. */
  readonly during: Readonly<Record<string, number>>;
  /** Batches that were under way when the writer was killed: found whole, or not at all. */
  readonly wholeBatches: number;
  readonly absentBatches: number;
  readonly acknowledged: number;
}

const writer = fileURLToPath(new URL('writer.ts', import.meta.url));
const ROUNDS = 8;
/** One file sees this many kills at random instants before a new one is taken. */
const KILLS_A_FILE = 10;
const PARALLEL = 2;
/** Every so many writers one encrypts; more would spend the time on deriving keys. */
const ENCRYPTED_EVERY = 10;

/** Half of the kills before a chosen SQL call of a new file, evenly spread over all of them; half at random instants of a file in use. */
export async function killWriters(kills: number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'precis-crash-'));
  try {
    const calls = await countCalls(join(folder, 'counted.db'));
    const chosen = Math.ceil(kills / 2);
    const jobs = Array.from({ length: kills }, (_, n): Job => {
      const key = n % ENCRYPTED_EVERY === 0 ? 'key of a crash' : null;
      if (n < chosen) return { file: join(folder, `call-${n}.db`), killAt: 1 + Math.floor((n * calls) / chosen), key };
      const file = Math.floor((n - chosen) / KILLS_A_FILE);
      return { file: join(folder, `instant-${file}.db`), killAt: null, key: file === 0 ? 'key of a crash' : null };
    });
    // Files are one lane each: writers of one file must not meet here.
    const lanes = [...Map.groupBy(jobs, ({ file }) => file).values()];
    const outcomes: Outcome[] = [];
    const work = async (): Promise<void> => {
      for (let lane = lanes.pop(); lane !== undefined; lane = lanes.pop()) {
        const acknowledged = new Map<number, number>();
        for (const job of lane) outcomes.push(await killOne(job, acknowledged));
        for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${lane[0]?.file}${suffix}`, { force: true });
      }
    };
    // All of them come to their end before the folder goes, also when one has failed.
    const ended = await Promise.allSettled(Array.from({ length: PARALLEL }, work));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return summed(outcomes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Job {
  readonly file: string;
  readonly killAt: number | null;
  readonly key: string | null;
}

interface Outcome {
  readonly during: string;
  readonly whole: number;
  readonly absent: number;
  readonly acknowledged: number;
}

/** A random instant: after one of the first lines that the writer says, within the time that a step takes. */
interface Instant {
  readonly line: number;
  readonly afterMs: number;
}

const LINES = 60;
const WITHIN_MS = 12;

const CONTEXTS = ['left', 'right'];

async function countCalls(file: string): Promise<number> {
  const lines = await runWriter({ file, contexts: CONTEXTS, rounds: ROUNDS, killAt: null, key: null }, null);
  const calls = Number(/^calls (\d+)$/m.exec(lines.join('\n'))?.[1]);
  if (!(calls > 100)) throw new Error(`the writer did not finish: ${lines.slice(-5).join(' | ')}`);
  return calls;
}

async function killOne({ file, killAt, key }: Job, acknowledged: Map<number, number>): Promise<Outcome> {
  // Writers that kill themselves come to an end; those that are killed from outside go on until they are.
  const rounds = killAt === null ? Number.MAX_SAFE_INTEGER : ROUNDS;
  const instant =
    killAt === null ? { line: Math.ceil(Math.random() * LINES), afterMs: Math.random() * WITHIN_MS } : null;
  const lines = await runWriter({ file, contexts: CONTEXTS, rounds, killAt, key }, instant);
  const begun = new Map<number, number>();
  let during = 'start';
  for (const line of lines) {
    const [word, first, second] = line.split(' ');
    if (word === 'step') during = first ?? '';
    if (word === 'begin') begun.set(Number(first), Number(second));
    if (word === 'done') acknowledged.set(Number(first), Number(second));
  }
  return { during, ...(await examine({ file, key, begun, acknowledged })) };
}

/** Throws when the file is damaged, a batch that was acknowledged is missing, or there is half of one. */
async function examine(left: {
  readonly file: string;
  readonly key: string | null;
  readonly begun: ReadonlyMap<number, number>;
  readonly acknowledged: Map<number, number>;
}): Promise<Omit<Outcome, 'during'>> {
  const { file, key, begun, acknowledged } = left;
  // An hour later: every lease of the killed writer has ended, so all contexts can be taken over.
  const store = sqliteStore(file, { now: () => Date.now() + 3_600_000, ...(key === null ? {} : { key }) });
  let [whole, absent, total] = [0, 0, 0];
  try {
    for (const [at, id] of CONTEXTS.entries()) {
      const context = await store.open(id, 'write');
      const { messages, events, state } = await context.load();
      const last = Number(state ?? -1);
      const sure = acknowledged.get(at) ?? -1;
      const tried = Math.max(sure, begun.get(at) ?? -1);
      if (last !== sure && last !== tried)
        throw new Error(`${id}: ${sure} acknowledged, ${tried} begun, found ${last}`);
      const expected = Array.from({ length: last + 1 }, (_, n) => batchOf(id, n));
      same(
        messages,
        expected.flatMap((batch) => batch.messages.map((message) => ({ ...message, chunks: [] }))),
        id,
      );
      same(
        events,
        expected.flatMap((batch) => batch.events),
        id,
      );
      const found = await context.search([`n${last}`], 100);
      if (found.length !== (expected.at(-1)?.messages.length ?? 0))
        throw new Error(`${id}: the index is not of batch ${last}`);
      if (tried > sure) {
        whole += last === tried ? 1 : 0;
        absent += last === tried ? 0 : 1;
      }
      total += last + 1;
      // The next writer of the file goes on from here.
      acknowledged.set(at, last);
      await context.close();
    }
  } finally {
    await store.close();
  }
  checkIntegrity(file);
  return { whole, absent, acknowledged: total };
}

export function checkIntegrity(file: string): void {
  const database = new DatabaseSync(file);
  const rows = database.prepare('PRAGMA integrity_check').all();
  database.exec("INSERT INTO search (search, rank) VALUES ('integrity-check', 0)");
  database.close();
  if (JSON.stringify(rows) !== '[{"integrity_check":"ok"}]') throw new Error(`${file}: ${JSON.stringify(rows)}`);
}

function same(actual: unknown, expected: unknown, what: string): void {
  const keyed = (value: unknown): string =>
    JSON.stringify(value, (_, at: unknown) =>
      typeof at === 'object' && at !== null && !Array.isArray(at)
        ? Object.fromEntries(Object.entries(at).toSorted())
        : at,
    );
  if (keyed(actual) !== keyed(expected)) throw new Error(`${what}: not what was committed`);
}

/** What it said until it ended. */
function runWriter(task: WriterTask, instant: Instant | null): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, JSON.stringify(task)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Written by the one writer that comes to its end; saves the others a part of their start.
      env: { ...process.env, NODE_COMPILE_CACHE: join(dirname(task.file), 'cache') },
    });
    let [said, failed, isTimed] = ['', '', false];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (instant === null || isTimed || said.split('\n').length <= instant.line) return;
      isTimed = true;
      setTimeout(() => child.kill('SIGKILL'), instant.afterMs);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      failed += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const isMeant = signal === 'SIGKILL' || (code === 0 && task.killAt === null && instant === null);
      if (isMeant) resolve(said.split('\n').filter((line) => line !== ''));
      else reject(new Error(`the writer ended with ${code ?? signal}: ${failed}`));
    });
  });
}

function summed(outcomes: readonly Outcome[]): KillReport {
  const sum = (pick: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + pick(one), 0);
  const during: Record<string, number> = {};
  for (const outcome of outcomes) during[outcome.during] = (during[outcome.during] ?? 0) + 1;
  return {
    kills: outcomes.length,
    during,
    wholeBatches: sum(({ whole }) => whole),
    absentBatches: sum(({ absent }) => absent),
    acknowledged: sum(({ acknowledged }) => acknowledged),
  };
}
