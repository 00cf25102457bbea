import { scrubSessions } from '../src/scrub/scrub.ts';
import { createScrubber } from '../src/scrub/scrub-text.ts';
import { parseNames } from '../src/scrub/user/user-files.ts';
import { readSession } from '../src/sessions/index.ts';
import { ADVERSARIES } from '../test/scrub/adversaries.ts';
import { cleanTexts } from '../test/scrub/clean.ts';
import { HOST, PERSON, PROJECT, plantedItems, plantedSession } from '../test/scrub/planted.ts';

const CLEAN_SIZE = 5_000_000;

export interface CleanRow {
  readonly bytes: number;
  readonly replaced: readonly { readonly rule: string; readonly count: number }[];
  readonly per100KB: number;
  readonly megabytesPerSecond: number;
}

/** What is replaced in text that holds nothing to replace, and how fast that is read: learned from, scrubbed and audited. */
export function cleanText(): CleanRow {
  const texts = cleanTexts(CLEAN_SIZE);
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  const runs = Array.from({ length: 3 }, () => {
    const scrubber = createScrubber();
    const started = performance.now();
    for (const text of texts) scrubber.learn(text);
    const scrubbed = texts.map((text) => scrubber.scrub(text));
    for (const text of scrubbed) scrubber.leftIn(text);
    return { ms: performance.now() - started, replaced: scrubber.counts() };
  });
  const replaced = runs[0]?.replaced ?? [];
  const megabytesPerSecond = bytes / 1_000 / Math.min(...runs.map(({ ms }) => ms));
  const count = replaced.reduce((sum, row) => sum + row.count, 0);
  return { bytes, replaced, per100KB: (count / bytes) * 100_000, megabytesPerSecond };
}

export interface PlantedRow {
  readonly items: number;
  readonly kinds: number;
  readonly left: number;
}

export function planted(): PlantedRow {
  const items = plantedItems();
  const { format, conversation } = readSession(JSON.stringify(plantedSession(items)), { name: 'planted' });
  const names = parseNames(JSON.stringify({ projects: [PROJECT], hosts: [HOST], people: [PERSON] }), 'names');
  const limit = { maxSize: 50_000_000, maxTotal: 50_000_000 };
  const input = { name: 'planted', source: 'planted', format, conversation };
  const text = scrubSessions([input], { names, ...limit }).sessions[0]?.text.toLowerCase() ?? '';
  const left = items.filter(({ original }) => text.includes(JSON.stringify(original).slice(1, -1).toLowerCase()));
  return { items: items.length, kinds: new Set(items.map(({ kind }) => kind)).size, left: left.length };
}

export interface GrowthRow {
  readonly what: string;
  /** Time for four times the text, beside the time for one: 4 is linear, 16 is quadratic. */
  readonly growth: number;
  readonly megabytesPerSecond: number;
}

const GROWTH_SIZE = 200_000;

/** The slowest kinds of text, the worst first. */
export function growth(): readonly GrowthRow[] {
  const rows = ADVERSARIES.map(([what, piece]) => {
    timeOf(piece, GROWTH_SIZE / 10);
    const once = timeOf(piece, GROWTH_SIZE);
    const fourfold = timeOf(piece, GROWTH_SIZE * 4);
    return { what, growth: fourfold / once, megabytesPerSecond: (GROWTH_SIZE * 4) / 1_000 / fourfold };
  });
  return rows.toSorted((left, right) => left.megabytesPerSecond - right.megabytesPerSecond);
}

function timeOf(piece: string, size: number): number {
  const text = piece.repeat(Math.ceil(size / piece.length));
  const times = Array.from({ length: 3 }, () => {
    const scrubber = createScrubber();
    const started = performance.now();
    scrubber.learn(text);
    scrubber.scrub(text);
    return performance.now() - started;
  });
  return Math.min(...times);
}

if (import.meta.main) printScrub((line) => void process.stdout.write(`${line}\n`));

export function printScrub(print: (line: string) => void): void {
  const { items, kinds, left } = planted();
  print(`  planted items: ${left} of ${items} (${kinds} kinds) remain`);
  const { bytes, replaced, per100KB, megabytesPerSecond } = cleanText();
  const what = replaced.map(({ rule, count }) => `${rule} ${count}`).join(', ');
  print(
    `  clean text, ${(bytes / 1e6).toFixed(1)} MB: ${per100KB.toFixed(3)} replacements per 100 KB (${what || 'none'})`,
  );
  print(`  clean text, learned, scrubbed and audited: ${megabytesPerSecond.toFixed(0)} MB/s`);
  const rows = growth();
  const [worst] = rows.toSorted((left, right) => right.growth - left.growth);
  print(
    `  ${rows.length} kinds of text designed to be slow: four times the text takes at most ${worst?.growth.toFixed(1)} times as long (${worst?.what}). The slowest:`,
  );
  for (const { what: kind, growth: grown, megabytesPerSecond: speed } of rows.slice(0, 6))
    print(`    ${kind.padEnd(26)} ${speed.toFixed(1).padStart(6)} MB/s, growth ${grown.toFixed(1)}`);
}
