import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toPiece } from '../src/context/store/piece.ts';
import type { StoredContext, StoredMessage } from '../src/context/store/store.ts';
import { type Message, textOf } from '../src/core/conversation/message.ts';
import type { IndexedChunk } from '../src/core/search/search-index.ts';
import { createMeasure } from '../src/core/tokens/measure.ts';
import { o200k } from '../src/models/o200k.ts';
import { type SqliteOptions, sqliteStore } from '../src/stores/index.ts';
import { longSession } from './sessions.ts';

export interface StoreRow {
  readonly arm: string;
  readonly commitsPerSecond: number;
  /** Time of a commit by the time to append the same message to a plain file and wait for the disk. */
  readonly commitRatio: number;
  readonly loadMs: number;
  /** By the time to parse the same messages from one JSON text. */
  readonly loadRatio: number;
  readonly searchMs: number;
  readonly fileBytes: number;
  /** By the bytes of the same messages as one JSON text. */
  readonly sizeRatio: number;
}

export interface StoreFigures {
  readonly tokens: number;
  readonly messages: number;
  readonly chunks: number;
  readonly jsonBytes: number;
  readonly rows: readonly StoreRow[];
}

const ARMS: readonly (readonly [string, SqliteOptions])[] = [
  ['full', {}],
  ['normal', { synchronous: 'normal' }],
  ['full, encrypted', { key: 'a key for figures' }],
];
const CHUNK_WORDS = 60;
const QUERIES = 50;
/** A plain append is timed for so many messages; the rest would take as long each. */
const APPENDS = 300;

/** One message a commit, as an agent writes; then all of it is read, and words of it are looked for. */
export async function storeFigures(size: number): Promise<StoreFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'precis-bench-'));
  try {
    const session = longSession(size, createMeasure(o200k));
    const stored = session.messages.map(
      (message, at): StoredMessage => ({ ...toPiece(message), at, chunks: chunksOf(message) }),
    );
    const json = JSON.stringify(session.messages.map(({ raw }) => raw));
    const jsonBytes = Buffer.byteLength(json);
    const parseMs = median(Array.from({ length: 5 }, () => timed(() => JSON.parse(json))));
    const appendMs = appendTime(join(folder, 'plain'), stored.slice(0, APPENDS));
    const rows: StoreRow[] = [];
    for (const [arm, options] of ARMS) {
      const file = join(folder, `${arm}.db`);
      const store = sqliteStore(file, options);
      const context = await store.open('bench', 'write');
      const started = performance.now();
      for (const message of stored) await context.commit({ messages: [message], events: [], state: null });
      const commitMs = (performance.now() - started) / stored.length;
      const loadMs = await medianOf(5, () => context.load());
      const searchMs = await searchTime(context, stored);
      await store.close();
      const fileBytes = statSync(file).size;
      rows.push({
        arm,
        commitsPerSecond: 1_000 / commitMs,
        commitRatio: commitMs / appendMs,
        loadMs,
        loadRatio: loadMs / parseMs,
        searchMs,
        fileBytes,
        sizeRatio: fileBytes / jsonBytes,
      });
    }
    const chunks = stored.reduce((total, message) => total + message.chunks.length, 0);
    return { tokens: createMeasure(o200k).conversation(session), messages: stored.length, chunks, jsonBytes, rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function chunksOf(message: Message): readonly IndexedChunk[] {
  const texts = message.parts.map((part) =>
    part.type === 'tool-result' ? part.content.map((item) => (item.type === 'text' ? item.text : '')).join(' ') : '',
  );
  const words = `${textOf(message)} ${texts.join(' ')}`.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return Array.from({ length: Math.ceil(words.length / CHUNK_WORDS) }, (_, n) => ({
    words: words.slice(n * CHUNK_WORDS, (n + 1) * CHUNK_WORDS),
  }));
}

/** Four words of one place each, spread over the history. */
async function searchTime(context: StoredContext, stored: readonly StoredMessage[]): Promise<number> {
  const times: number[] = [];
  for (let query = 0; query < QUERIES; query++) {
    const chunks = stored[Math.floor((query * stored.length) / QUERIES)]?.chunks ?? [];
    const words = chunks[0]?.words.slice(0, 4) ?? [];
    const started = performance.now();
    await context.search(words, 20);
    times.push(performance.now() - started);
  }
  return median(times);
}

function appendTime(file: string, stored: readonly StoredMessage[]): number {
  const handle = openSync(file, 'a');
  const total = timed(() => {
    for (const message of stored) {
      writeSync(handle, JSON.stringify(message));
      fsyncSync(handle);
    }
  });
  closeSync(handle);
  return total / stored.length;
}

async function medianOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < times; n++) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return median(taken);
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
