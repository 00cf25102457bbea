import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Batch, StoredMessage } from '../../src/context/store/store.ts';
import { PrecisError } from '../../src/core/errors.ts';
import { type SqliteOptions, sqliteStore } from '../../src/stores/index.ts';

/** A folder for the files of one test file. */
export function testFolder(): { readonly folder: string; newFile(): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'precis-sqlite-'));
  let made = 0;
  return {
    folder,
    newFile: () => join(folder, `${made++}.db`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const NOTHING: Batch = { messages: [], events: [], state: null };

export function message(text: string, at = 1): StoredMessage {
  return { body: '{"$c":0}', contents: [text], at, chunks: [{ words: text.split(' ').slice(0, 50) }] };
}

export function batch(...texts: readonly string[]): Batch {
  return { ...NOTHING, messages: texts.map((text) => message(text)) };
}

export async function failure(work: Promise<unknown>): Promise<PrecisError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!PrecisError.is(error)) throw new Error(`expected a PrecisError, got ${String(error)}`);
  return error;
}

/** A file with one context in it, closed. */
export async function filled(file: string, options: SqliteOptions = {}, ...texts: readonly string[]): Promise<void> {
  const store = sqliteStore(file, options);
  const context = await store.open('a', 'write');
  await context.commit(batch(...texts, 'something kept'));
  await store.close();
}

export function runNode(parameters: readonly string[]): string {
  return execFileSync(process.execPath, parameters, { encoding: 'utf8', timeout: 15_000 });
}

export function rowsOf(file: string, sql: string): readonly unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
