import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PrecisError } from '../../../core/errors.ts';
import type { AnswerCache, KeptAnswer } from '../../../eval/run/calls/asker.ts';
import type { EvalEvent } from '../../../eval/run/events.ts';
import type { RunResult } from '../../../eval/types.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import { writeWhole } from '../../disk/write-whole.ts';

/** Hashes a text with SHA-256, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Keeps each answer in a file of its own, so that a killed process loses none and two processes can share them. */
export function diskCache(folder: string): AnswerCache {
  const placeOf = (key: string): string => join(folder, key.slice(0, 2));
  return {
    async get(key) {
      const text = await readFile(join(placeOf(key), `${key}.json`), 'utf8').catch(() => null);
      return text === null ? null : keptAnswer(text);
    },
    async put(key, answer) {
      await makeFolder(placeOf(key));
      await writeAside(join(placeOf(key), `${key}.json`), JSON.stringify(answer));
    },
  };
}

/** Writes a file whole or not at all. It does not wait for the disk, because an answer lost in a power failure is asked for again. */
async function writeAside(place: string, text: string): Promise<void> {
  const temporary = `${place}.${process.pid}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, place);
}

/** Reads a cached answer. A damaged file counts as missing. */
function keptAnswer(text: string): KeptAnswer | null {
  try {
    const value = JSON.parse(text) as KeptAnswer;
    return typeof value.text === 'string' && typeof value.finish === 'string' && typeof value.usage === 'object'
      ? value
      : null;
  } catch {
    return null;
  }
}

/** The folder `results/LABEL` of an evaluation. */
export interface ResultsFolder {
  readonly path: string;
  /** Returns the `run.json` of an earlier process; null when there is none. */
  settings(): Promise<Readonly<Record<string, unknown>> | null>;
  events(): Promise<string>;
  /** Adds a line. After a kill, only the last line can be incomplete. */
  append(event: EvalEvent): Promise<void>;
  /** Returns the earlier result of a user's compactor for the same input; undefined when there is none. */
  kept(key: string): Promise<unknown>;
  keep(key: string, value: unknown): Promise<void>;
  /** Returns a saved run; null when there is none. */
  run(fixture: string, run: number): Promise<RunResult | null>;
  write(name: string, text: string): Promise<void>;
}

export function resultsFolder(results: string, label: string): ResultsFolder {
  const path = join(results, label);
  let isOpen = false;
  let queue: Promise<void> = Promise.resolve();
  const readText = (name: string): Promise<string | null> => readFile(join(path, name), 'utf8').catch(() => null);
  /** Opens the log. When a kill left the last line incomplete, the next event begins on a new line. */
  const openLog = async (): Promise<void> => {
    await makeFolder(path);
    const text = (await readText('events.jsonl')) ?? '';
    if (text !== '' && !text.endsWith('\n')) await appendFile(join(path, 'events.jsonl'), '\n');
  };
  return {
    path,
    async settings() {
      const text = await readText('run.json');
      return text === null ? null : (JSON.parse(text) as Readonly<Record<string, unknown>>);
    },
    events: async () => (await readText('events.jsonl')) ?? '',
    append(event) {
      queue = queue.then(async () => {
        if (!isOpen) await openLog();
        isOpen = true;
        await appendFile(join(path, 'events.jsonl'), `${JSON.stringify(event)}\n`);
      });
      return queue;
    },
    async kept(key) {
      const text = await readText(join('arms', `${key}.json`));
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
    async keep(key, value) {
      await makeFolder(join(path, 'arms'));
      await writeAside(join(path, 'arms', `${key}.json`), JSON.stringify(value));
    },
    async run(fixture, run) {
      const text = await readText(runFile(fixture, run));
      return text === null ? null : (JSON.parse(text) as RunResult);
    },
    async write(name, text) {
      await makeFolder(path);
      await writeWhole(join(path, name), text, { replace: true });
    },
  };
}

export function runFile(fixture: string, run: number): string {
  return `${fixture}-run-${run}.json`;
}

/** Reads every run in a folder of results. */
export async function readResults(folder: string): Promise<readonly RunResult[]> {
  const names = await readdir(folder).catch(() => {
    throw new PrecisError('bad-option', `${folder}: expected a folder of results, such as results/LABEL`);
  });
  const runs = names.filter((name) => /-run-\d+\.json$/.test(name)).sort();
  if (runs.length === 0)
    throw new PrecisError('bad-input', `${folder}: expected files such as NAME-run-1.json, got none`);
  return Promise.all(runs.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as RunResult));
}

/** Finds the evaluation that was changed last; null when there is none. */
export async function newestLabel(results: string): Promise<string | null> {
  let newest: { readonly label: string; readonly at: number } | null = null;
  for (const label of await readdir(results).catch(() => [])) {
    const found = await stat(join(results, label, 'run.json')).catch(() => null);
    if (found !== null && found.mtimeMs > (newest?.at ?? 0)) newest = { label, at: found.mtimeMs };
  }
  return newest?.label ?? null;
}
