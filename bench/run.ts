import { cpus } from 'node:os';
import { readersOf } from './readers.ts';
import { printScrub } from './scrub.ts';
import { longLines, speedOf } from './speed.ts';
import { survival } from './survival.ts';

/**
 * `npm run bench [speed|survival|scrub|readers]`: the figures of the README, as ratios within one run because machines differ. `readers` runs
 * only when it is named, as it writes large files.
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

function ms(value: number): string {
  return `${value.toFixed(0).padStart(5)} ms`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`.padStart(6);
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}

function percent(part: number, of: number): string {
  return `${((100 * part) / of).toFixed(0)} %`;
}
