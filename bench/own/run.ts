/** `npm run bench:own`: see `--help`. */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { killWriters } from '../../test/crash/kill.ts';
import { killContexts } from '../../test/crash/kill-context.ts';
import { measuredCommit } from '../commit.ts';
import { longLife } from '../context.ts';
import { unwritable } from '../flags.ts';
import { readersOf } from '../readers.ts';
import { cleanText, growth, planted } from '../scrub.ts';
import { storeFigures } from '../store.ts';
import { survival } from '../survival.ts';
import type { OwnResults } from './results.ts';

const HELP = `Measures precis alone: store, logs, crashes, scrubbing and a long session. Takes a few minutes; progress goes to standard error.

  npm run bench:own [-- --save]

  --save  write the results to bench/results/own.json instead of printing them as JSON
  --help  this text
`;
const SAVED = fileURLToPath(new URL('../results/own.json', import.meta.url));

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
    commit: measuredCommit(),
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
    longLife: await step('a long session', () => longLife(TURNS)),
  };
}

/** Four digits say all there is to say. */
function json(value: unknown): string {
  const rounded = (_: string, each: unknown) =>
    typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(4)) : each;
  return `${JSON.stringify(value, rounded, 2)}\n`;
}

interface Wish {
  readonly help?: boolean;
  readonly save?: boolean;
}

/** Null, and a sentence, for flags that mean nothing. */
function wishOf(argv: readonly string[]): Wish | null {
  try {
    return parseArgs({ args: [...argv], options: { save: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    refuse(`Expected --save, --help or nothing: ${error instanceof Error ? error.message.split('. ')[0] : error}`);
    return null;
  }
}

function refuse(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}

async function main({ help = false, save = false }: Wish): Promise<void> {
  if (help) return void process.stdout.write(HELP);
  const problem = save ? await unwritable(SAVED) : null;
  if (problem !== null) return refuse(problem);
  const text = json(await measure());
  if (!save) return void process.stdout.write(text);
  writeFileSync(SAVED, text);
  process.stderr.write('wrote bench/results/own.json\n');
}

const wish = wishOf(process.argv.slice(2));
if (wish !== null) await main(wish);
