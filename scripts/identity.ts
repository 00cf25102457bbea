/**
 * Hashes everything precis writes, so that a change which must not alter behaviour can be checked:
 *
 *     npx node scripts/identity.ts --out before.json fixtures ../logs
 *     … change the code, `npm run build` …
 *     npx node scripts/identity.ts --out after.json fixtures ../logs
 *     npx node scripts/identity.ts --compare before.json after.json
 *
 * Names begin with what they are: `view`, `receipt`, `handoff`, `context`, `model`, `replay` and `eval` are data; `text` is written for people.
 * `--dist DIR` takes another build than this clone's.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { hashCommands } from './identity/commands.ts';
import type { Load, Put } from './identity/put.ts';
import { hashSession } from './identity/sessions.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    dist: { type: 'string', default: 'dist' },
    compare: { type: 'boolean', default: false },
    keep: { type: 'string' },
    most: { type: 'string', default: '4000000' },
  },
});

function compareFiles(left: string, right: string): void {
  const [before, after] = [readHashes(left), readHashes(right)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const different = names.filter((name) => before[name] !== after[name]);
  for (const name of different.slice(0, 200)) console.log(`differs: ${name}`);
  const data = different.filter((name) => !name.startsWith('text '));
  console.log(
    `${names.length - different.length} equal, ${data.length} data differ, ${different.length - data.length} texts differ`,
  );
  process.exitCode = data.length > 0 ? 1 : 0;
}

function readHashes(path: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  } catch (error) {
    console.error(`${path}: expected a file that \`--out\` wrote, but ${(error as Error).message}`);
    process.exit(2);
  }
}

async function hashAll(out: string): Promise<void> {
  const dist = resolve(flags.dist);
  const load: Load = (path) => import(pathToFileURL(join(dist, path)).href);
  const files = positionals.flatMap(filesUnder).sort();
  const hashes: Record<string, string> = {};
  const put: Put = (name, value) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
    const clean = text.replaceAll(dist, 'DIST').replaceAll(scratch, 'SCRATCH').replaceAll(resolve(dist, '..'), 'CLONE');
    hashes[name] = createHash('sha256').update(clean).digest('hex').slice(0, 16);
    if (flags.keep !== undefined)
      writeFileSync(join(flags.keep, name.replaceAll(/[^\w.-]+/g, '_').slice(0, 200)), clean);
  };
  const scratch = mkdtempSync(join(tmpdir(), 'identity-'));
  try {
    for (const file of files) {
      const name = relative(process.cwd(), file);
      const began = Date.now();
      await hashSession(load, file, name, put);
      if (Date.now() - began > 20_000) console.error(`slow: ${name} ${Date.now() - began} ms`);
    }
    await hashCommands(load, scratch, put);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  writeFileSync(out, `${JSON.stringify(hashes, null, 1)}\n`);
  console.log(`${Object.keys(hashes).length} outputs of ${files.length} sessions`);
}

function filesUnder(path: string): readonly string[] {
  if (statSync(path).isFile()) return [resolve(path)];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name);
    if (entry.isDirectory()) return entry.name === 'LICENSES' || entry.name === 'facts' ? [] : filesUnder(below);
    return /\.jsonl?$/.test(entry.name) &&
      !/^(?:probes|parts|INDEX|sources)\.json$/.test(entry.name) &&
      statSync(below).size < Number(flags.most)
      ? [resolve(below)]
      : [];
  });
}

if (flags.compare && positionals.length === 2) compareFiles(positionals[0] ?? '', positionals[1] ?? '');
else if (!flags.compare && flags.out !== undefined) await hashAll(flags.out);
else {
  console.error('Expected `--out FILE SESSIONS…` to hash, or `--compare BEFORE AFTER` to compare');
  process.exitCode = 2;
}
