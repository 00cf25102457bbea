import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Any, Load, Put } from './put.ts';

/** Everything the command line prints and writes, also for wrong input. */
export async function hashCommands(load: Load, scratch: string, put: Put): Promise<void> {
  const { run }: Any = await load('cli/program.js');
  const { realWorld }: Any = await load('cli/world.js');
  const screen = { isTerminal: false, colors: false, columns: 80 };
  const command = async (line: string): Promise<void> => {
    let [out, err] = ['', ''];
    const world = {
      ...realWorld(),
      out: (text: string) => {
        out += text;
      },
      err: (text: string) => {
        err += text;
      },
      outScreen: screen,
      errScreen: screen,
      now: () => 0,
    };
    const code = await run(
      line.split(' ').map((word) => word.replaceAll('~', ' ').replace('TMP', scratch)),
      world,
    );
    const isData = /--json|--out -/.test(line) && !line.includes('--help');
    put(`${isData ? line.split(' ')[0] : 'text'} $ ${line}`, `${code}\n${scrubbed(out)}`);
    put(`text err $ ${line}`, scrubbed(err));
  };
  for (const line of LINES) await command(line);
  for (const file of filesIn(scratch)) {
    if (/\.(?:db|db-wal|db-shm)$/.test(file)) continue;
    const kind = /\.(?:md|html|xml|txt)$/.test(file) ? 'text' : 'eval';
    put(`${kind} file ${relative(scratch, file)}`, scrubbed(readFileSync(file, 'utf8')));
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Times and commits are not behaviour. */
function scrubbed(text: string): string {
  return text
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replaceAll(/"(ms|seconds|at|modifiedAt|startedAt|endedAt|finishedAt|commit)":\s*[^,}\n]+/g, '"$1": 0')
    .replaceAll(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?/g, 'TIME');
}

const F = 'fixtures/rate-limiter/session.json';
const COMMANDS = [
  'compact',
  'show',
  'history',
  'sessions',
  'convert',
  'scrub',
  'probes',
  'compare',
  'report',
  'calibrate',
  'replay',
  'demo',
  'eval',
  'noise',
  'models',
  'doctor',
];
const LINES: readonly string[] = [
  '--help',
  ...COMMANDS.map((name) => `${name} --help`),
  'eval export --help',
  'eval import --help',
  'nonsense',
  'compact',
  'compact missing.json',
  'compact package.json',
  'compact README.md',
  `compact ${F} --target 0`,
  `compact ${F} --target abc`,
  `compact ${F} --target 10`,
  `compact ${F} --target 9000`,
  `compact ${F} --target 9000 --json`,
  `compact ${F} --target 9000 --passes 3 --json`,
  `compact ${F} --target 9000 --out -`,
  `compact ${F} --target 9000 --json --out -`,
  `compact ${F} --from nope`,
  `compact ${F} --for claude-sonnet-5`,
  `compact ${F} --for nope-1`,
  `compact ${F} --model nope/x`,
  `compact fixtures/incident/session.jsonl --target 3000 --out -`,
  `compact ${F} --target 9000 --store TMP/s.db --out TMP/small.json`,
  'history TMP/s.db',
  'history TMP/s.db diff c1',
  'history TMP/s.db search which~header~is~used',
  'history TMP/s.db search which~header~is~used --json',
  'history TMP/s.db show 51',
  'history TMP/s.db export --view now --out TMP/now.json',
  'history TMP/s.db undo',
  'history TMP/s.db export --view now --out TMP/undone.json',
  'history TMP/s.db restore c1',
  'history TMP/s.db gc --older-than 30 --dry-run',
  'history TMP/none.db',
  'history TMP/s.db nonsense',
  `show ${F} 51`,
  `show ${F} 5100`,
  `show ${F} r:0000000000000`,
  ...['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'langchain'].map(
    (to) => `convert ${F} --to ${to} --out -`,
  ),
  `convert ${F} --to gemini`,
  `convert ${F} --to nope`,
  'sessions fixtures --json',
  'sessions fixtures',
  `scrub ${F} --report`,
  `scrub ${F} fixtures/incident/session.jsonl --out TMP/scrubbed --json`,
  'scrub missing.json',
  `probes ${F} --out TMP/probes.json`,
  `probes ${F} --json`,
  'probes --check fixtures/rate-limiter fixtures/incident',
  'probes --check missing',
  'eval --fixtures rate-limiter,incident,chained-merge --results TMP/r --label a',
  'eval --fixtures rate-limiter,incident,chained-merge --results TMP/r --label b --target 10%',
  'eval --fixtures rate-limiter --results TMP/r --label c --json --compare-to TMP/r/a',
  'eval --fixtures nope',
  'eval --fail-on x',
  'compare TMP/r/a TMP/r/b',
  'compare TMP/r/a TMP/r/b --markdown',
  'compare TMP/r/a TMP/r/b --json',
  'compare TMP/r/a TMP/r/none',
  'report TMP/r/a',
  'report TMP/r/a --format markdown',
  'report TMP/r/a --format junit',
  'report TMP/r/a --format step-summary',
  'report TMP/r/a --json',
  'calibrate README.md TMP/r/a',
  'noise --fixtures rate-limiter --runs 2 --results TMP/r --label n',
  `replay ${F} fixtures/incident/session.jsonl --window 40000 --workers 0`,
  `replay ${F} --window 40000 --workers 0 --json`,
  `replay ${F} --window 40000 --workers 0 --markdown -`,
  `replay ${F} --window 40000 --workers 0 --html -`,
  `replay ${F} --policies nope`,
  `replay ${F} --prices nope`,
  'models',
  'models anthropic',
  'models claude-haiku-4-5 --json',
  'models nope',
  'demo',
];
