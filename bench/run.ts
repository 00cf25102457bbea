import { cpus } from 'node:os';
import { killWriters } from '../test/crash/kill.ts';
import { killContexts } from '../test/crash/kill-context.ts';
import { longLife, prepareFigures } from './context.ts';
import { readersOf } from './readers.ts';
import { printScrub } from './scrub.ts';
import { searchSpeedOf } from './search.ts';
import { longLines, speedOf } from './speed.ts';
import { storeFigures } from './store.ts';
import { survival } from './survival.ts';

/**
 * `npm run bench [speed|survival|search|context|store|scrub|readers|crash]`: the figures of the README, as ratios within one run because machines
 * differ. `readers` and `crash` run only when they are named.
 */
const [only] = process.argv.slice(2);

if (only === undefined || only === 'survival') {
  print('Facts of the shipped sessions still literally in the view, no model');
  for (const { arm, target, passes, kept, facts } of await survival())
    print(
      `  ${arm.padEnd(16)} target ${String(target).padStart(2)} %  passes ${passes}  ${kept} of ${facts} (${percent(kept, facts)})`,
    );
}

if (only === undefined || only === 'speed') {
  print(
    `\nOne pass to a tenth of the size, beside counting every token once (${cpus().length} cores, Node ${process.versions.node})`,
  );
  await speedOf(50_000);
  for (const size of [100_000, 500_000, 1_000_000, 2_000_000]) {
    const { tokens, countMs, compactMs, ratio, tokensAfter } = await speedOf(size);
    const memory = Math.round(process.memoryUsage.rss() / 1_048_576);
    print(
      `  ${whole(tokens).padStart(9)} tokens → ${whole(tokensAfter).padStart(7)}: count ${ms(countMs)}, compact ${ms(compactMs)}, ratio ${ratio.toFixed(1)}, ` +
        `${((compactMs / tokens) * 1_000_000).toFixed(0)} ms per million, ${memory} MB resident`,
    );
  }
  print('\nOne megabyte in one line');
  for (const { what, ms: took } of await longLines()) print(`  ${what.padEnd(18)} ${ms(took)}`);
}

if (only === undefined || only === 'search') {
  print('\nSearch over a history in memory');
  await searchSpeedOf(50_000);
  for (const size of [100_000, 1_000_000]) {
    const { tokens, chunks, indexMs, queryMs } = await searchSpeedOf(size);
    print(
      `  ${whole(tokens).padStart(9)} tokens, ${whole(chunks)} chunks: index ${ms(indexMs)}, a question ${ms(queryMs)}`,
    );
  }
}

if (only === undefined || only === 'context') {
  print('\nThe living context: medians of one request');
  for (const size of [10_000, 100_000, 1_000_000]) {
    const { tokens, appendMs, prepareMs, againMs } = await prepareFigures(size);
    print(
      `  ${whole(tokens).padStart(9)} tokens: append a turn ${fine(appendMs)}, prepare after it ${fine(prepareMs)}, prepare again ${fine(againMs)}`,
    );
  }
  const life = await longLife(2_000);
  print(
    `  ${whole(life.turns)} turns in a window of 24,000: ${life.compactions} compactions, size after by size before ${life.firstRatio.toFixed(2)} at first and ` +
      `${life.lastRatio.toFixed(2)} at last, handoff ${whole(life.firstHandoff)} and ${whole(life.lastHandoff)} tokens, ${life.rulesKept} of ${life.rules} rules in the view, ` +
      `heap ${life.heapMb.join(' ')} MB, ${(life.ms / 1_000).toFixed(0)} s`,
  );
}

if (only === undefined || only === 'store') {
  const { tokens, messages, chunks, jsonBytes, rows } = await storeFigures(1_000_000);
  print(
    `\nA store in a SQLite file: ${whole(tokens)} tokens in ${whole(messages)} messages and ${whole(chunks)} chunks, ${megabytes(jsonBytes)} as JSON`,
  );
  for (const row of rows)
    print(
      `  ${row.arm.padEnd(16)} ${row.commitsPerSecond.toFixed(0).padStart(5)} commits/s (${row.commitRatio.toFixed(1)} of an append with fsync), ` +
        `load ${ms(row.loadMs)} (${row.loadRatio.toFixed(1)} of JSON.parse), search ${row.searchMs.toFixed(1)} ms, ` +
        `file ${megabytes(row.fileBytes)} (${row.sizeRatio.toFixed(2)} of JSON)`,
    );
}

// A minute or more of starting processes: only when it is asked for.
if (only === 'crash') {
  const kills = Number(process.argv[3] ?? 600);
  const started = performance.now();
  const { during, wholeBatches, absentBatches, acknowledged } = await killWriters(kills);
  print(
    `${kills} writers killed in ${((performance.now() - started) / 1_000).toFixed(0)} s, and every file as it should be`,
  );
  print(
    `  during ${Object.entries(during)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ')}`,
  );
  print(
    `  ${acknowledged} batches found whole; of those under way ${wholeBatches} whole, ${absentBatches} absent, 0 in half`,
  );
  const contexts = await killContexts(kills);
  print(
    `${kills} agents killed in the middle of a step: ${contexts.before} contexts as before it, ${contexts.after} as after it, ${whole(contexts.refs)} refs resolved`,
  );
}

if (only === undefined || only === 'scrub') {
  print('\nScrubbing');
  printScrub(print);
}

if (only === 'readers') {
  print('\nReading a log of Claude Code, made for this');
  for (const { what, bytes, tokens, messages, readMs, peakBytes } of readersOf())
    print(
      `  ${what.padEnd(20)} ${megabytes(bytes)}, ${whole(tokens).padStart(9)} tokens, ${whole(messages).padStart(6)} messages: ${ms(readMs)}, ` +
        `${megabytes(peakBytes)} of memory`,
    );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fine(value: number): string {
  return `${value.toFixed(3)} ms`;
}

function ms(value: number): string {
  return `${value.toFixed(0).padStart(5)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}

function percent(part: number, of: number): string {
  return `${((100 * part) / of).toFixed(0)} %`;
}
