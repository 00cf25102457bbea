import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { sqliteStore } from '../../src/stores/index.ts';
import { checkIntegrity } from './kill.ts';
import type { PairReport, PairTask } from './pair-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'precis-pair-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const OPERATIONS = 10_000;

test(`two processes do ${OPERATIONS} operations on one file, and nothing is lost or mixed`, async () => {
  const file = join(folder, 'pair.db');
  const start = async (task: PairTask): Promise<PairReport> => {
    const program = fileURLToPath(new URL('pair-writer.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(task)]);
    return JSON.parse(stdout) as PairReport;
  };
  const common = { file, shared: 'shared', operations: OPERATIONS / 2 };
  const [left, right] = [
    ['left', 'left too'],
    ['right', 'right too'],
  ] as const;
  const reports = await Promise.all([
    start({ ...common, name: 'l', own: left, others: right }),
    start({ ...common, name: 'r', own: right, others: left }),
  ]);
  expect(reports[0].operations + reports[1].operations).toBe(OPERATIONS);
  checkIntegrity(file);

  const store = sqliteStore(file);
  const numbersIn = async (id: string): Promise<readonly { readonly by: string; readonly n: number }[]> => {
    const { messages, events } = await (await store.open(id, 'write')).load();
    expect(events.map(({ body }) => body)).toEqual(messages.map(({ body }) => body));
    return messages.map(({ body }) => JSON.parse(body) as { by: string; n: number });
  };
  for (const [at, ids] of [left, right].entries())
    for (const id of ids) {
      const numbers = await numbersIn(id);
      expect(numbers.map(({ n }) => n)).toEqual(Array.from({ length: reports[at]?.commits[id] ?? 0 }, (_, n) => n));
      expect(numbers.length).toBeGreaterThan(OPERATIONS / 10);
    }
  // Of the shared context each has its own numbers in order, and both were there.
  const shared = await numbersIn('shared');
  for (const [at, by] of ['l', 'r'].entries()) {
    const commits = reports[at]?.commits['shared'] ?? 0;
    expect(commits).toBeGreaterThan(10);
    expect(shared.filter((one) => one.by === by).map(({ n }) => n)).toEqual(
      Array.from({ length: commits }, (_, n) => n),
    );
  }
  await store.close();
}, 180_000);
