import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PrecisError } from '../../../core/errors.ts';
import type { AnswerCache, KeptAnswer } from '../../../eval/run/calls/asker.ts';
import type { EvalEvent } from '../../../eval/run/events.ts';
import type { RunResult } from '../../../eval/types.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import { writeWhole } from '../../disk/write-whole.ts';

/** A strong hash of a text, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Answers under a folder, one file each, so that a killed process loses none and two can share them. */
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

/** Whole or not at all, but not waiting for the disk: what is lost with the power is asked for again. */
async function writeAside(place: string, text: string): Promise<void> {
  const temporary = `${place}.${process.pid}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, place);
}

/** A file that is damaged is no answer. */
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

/** `results/LABEL`: what an evaluation leaves behind. */
export interface ResultsFolder {
  readonly path: string;
  /** `run.json` of an earlier process; null when there is none. */
  settings(): Promise<Readonly<Record<string, unknown>> | null>;
  events(): Promise<string>;
  /** Adds a line; lines are whole or, after a kill, torn at the very end. */
  append(event: EvalEvent): Promise<void>;
  /** What a compactor of the user gave back, by all it was given; undefined when it was not asked yet. */
  kept(key: string): Promise<unknown>;
  keep(key: string, value: unknown): Promise<void>;
  /** A run that was written; null when it was not. */
  run(fixture: string, run: number): Promise<RunResult | null>;
  write(name: string, text: string): Promise<void>;
}

export function resultsFolder(results: string, label: string): ResultsFolder {
  const path = join(results, label);
  let isOpen = false;
  let queue: Promise<void> = Promise.resolve();
  const readText = (name: string): Promise<string | null> => readFile(join(path, name), 'utf8').catch(() => null);
  /** After a kill the last line may be torn: the next begins on a line of its own. */
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

/** Every run in a folder of results. */
export async function readResults(folder: string): Promise<readonly RunResult[]> {
  const names = await readdir(folder).catch(() => {
    throw new PrecisError('bad-option', `${folder}: expected a folder of results, such as results/LABEL`);
  });
  const runs = names.filter((name) => /-run-\d+\.json$/.test(name)).sort();
  if (runs.length === 0)
    throw new PrecisError('bad-input', `${folder}: expected files such as NAME-run-1.json, got none`);
  return Promise.all(runs.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as RunResult));
}

/** The evaluation that was worked on last; null when there is none. */
export async function newestLabel(results: string): Promise<string | null> {
  let newest: { readonly label: string; readonly at: number } | null = null;
  for (const label of await readdir(results).catch(() => [])) {
    const found = await stat(join(results, label, 'run.json')).catch(() => null);
    if (found !== null && found.mtimeMs > (newest?.at ?? 0)) newest = { label, at: found.mtimeMs };
  }
  return newest?.label ?? null;
}
