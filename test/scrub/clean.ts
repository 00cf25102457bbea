/**
 * Text without secrets and personal items: sources and documentation of the project and of the packages it is developed with. Lines that hold an
 * address of a person are left out, since what is found there is no mistake; so are tests, which plant things.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATTERNS = [
  '{src,docs,scripts,bench,examples}/**/*.{ts,md}',
  'fixtures/*/session.{json,jsonl}',
  'node_modules/*/**/*.{md,d.ts,js,mjs,cjs}',
  'node_modules/@*/*/**/*.{md,d.ts,js,mjs,cjs}',
];
/** Bundles are one idea repeated; a file of this size says no more than a smaller one. */
const LARGEST_FILE = 200_000;
/** No package may be most of the corpus. */
const LARGEST_SHARE = 150_000;

export function cleanTexts(size: number): readonly string[] {
  const shares = new Map<string, number>();
  const texts: string[] = [];
  let total = 0;
  const files = PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
  for (const file of files) {
    if (total >= size) break;
    if (/\.test\.ts$|test\/scrub/.test(file)) continue;
    const owner = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? 'own';
    const share = shares.get(owner) ?? 0;
    if (owner !== 'own' && share > LARGEST_SHARE) continue;
    const path = `${root}/${file}`;
    if (!statSync(path).isFile()) continue;
    const text = readFileSync(path, 'utf8');
    if (text.length > LARGEST_FILE) continue;
    const lines = text.split('\n').filter((line) => !ADDRESS.test(line));
    const kept = lines.join('\n');
    shares.set(owner, share + kept.length);
    texts.push(kept);
    total += kept.length;
  }
  return texts;
}

const ADDRESS = /[\w.+-]@[\w-]+\.\w|^\s*By: |Copyright/;
