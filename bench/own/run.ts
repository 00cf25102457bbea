/** `npm run bench:own [-- --save]`: figures of precis alone. Prints them as JSON, or saves them for the report. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { killWriters } from '../../test/crash/kill.ts';
import { killContexts } from '../../test/crash/kill-context.ts';
import { longLife } from '../context.ts';
import { readersOf } from '../readers.ts';
import { cleanText, growth, planted } from '../scrub.ts';
import { storeFigures } from '../store.ts';
import { survival } from '../survival.ts';
import type { OwnResults } from './results.ts';

const KILLS = 600;
const TURNS = 2_000;
const STORE_TOKENS = 1_000_000;

async function measure(): Promise<OwnResults> {
  const step = async <T>(name: string, of: () => T | Promise<T>): Promise<T> => {
    process.stderr.write(`${name}\n`);
    return of();
  };
  // Those that start processes of their own first: their memory must not begin with what the others left.
  return {
    version: 1,
    date: new Date().toISOString(),
    node: process.versions.node,
    cores: availableParallelism(),
    readers: await step('reading logs', () => [...readersOf()]),
    crash: {
      writers: await step('killing writers', () => killWriters(KILLS)),
      contexts: await step('killing agents', () => killContexts(KILLS)),
    },
    survival: await step('survival', survival),
    store: await step('store', () => storeFigures(STORE_TOKENS)),
    scrub: await step('scrubbing', () => ({ planted: planted(), clean: cleanText(), growth: growth() })),
    longLife: await step('a long life', () => longLife(TURNS)),
  };
}

/** Four digits say all there is to say. */
function json(value: unknown): string {
  const rounded = (_: string, each: unknown) =>
    typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(4)) : each;
  return `${JSON.stringify(value, rounded, 2)}\n`;
}

const { values } = parseArgs({ options: { save: { type: 'boolean' } } });
const text = json(await measure());
if (values.save === true) {
  const file = fileURLToPath(new URL('../results/own.json', import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stderr.write('wrote bench/results/own.json\n');
} else process.stdout.write(text);
