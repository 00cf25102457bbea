import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder } from '../src/cli/disk/make-folder.ts';
import { LINES, WORKLOADS } from './speed/names.ts';

/** What a section other than the speed suite prints. */
export const SECTIONS = ['survival', 'long-life', 'store-arms', 'scrub', 'readers', 'crash'] as const;
export type Section = (typeof SECTIONS)[number];

export interface Request {
  readonly sections: readonly Section[];
  /** Workloads of the speed suite. */
  readonly workloads: readonly string[];
  readonly quick: boolean;
  readonly save: boolean;
  readonly check: boolean;
  readonly json: string | null;
  readonly kills: number;
}

export type Flags =
  | { readonly type: 'run'; readonly request: Request }
  /** The loops have flags of their own. */
  | { readonly type: 'loops'; readonly argv: readonly string[] }
  | { readonly type: 'help' }
  | { readonly type: 'bad'; readonly sentence: string };

const SUITE: readonly string[] = [...WORKLOADS, LINES];
const DEFAULT: readonly string[] = ['survival', 'speed'];
const KILLS = 600;

/** Names that stand for several. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  speed: SUITE,
  search: ['search-index', 'search-ask'],
  context: ['context-append', 'context-prepare', 'long-life'],
  store: ['store-commit', 'store-load', 'store-search', 'store-arms'],
};

export const HELP: string = `npm run bench [-- FLAGS] [NAME …]

Without a name, it runs ${DEFAULT.join(' and ')}. Names: ${[...Object.keys(GROUPS), ...SECTIONS].join(', ')}; of the speed suite: ${SUITE.join(', ')}.

  --only NAME[,NAME]  run only these, as if given by name
  --quick             run the speed suite up to 300,000 tokens, in about a minute
  --check             exit with 1 if a row is slower than the baseline and the noise allow
  --save              write bench/baseline.json, bench/results/speed.json and docs/charts/speed.svg
  --json FILE         write the results of the speed suite to FILE
  --help              this text

npm run bench loops plays agent loops and checks every request; see npm run bench loops -- --help.

Examples:
  npm run bench -- --quick --check speed
  npm run bench survival
  npm run bench loops -- --only tool-output
`;

export function parseFlags(argv: readonly string[]): Flags {
  if (argv.includes('loops')) return { type: 'loops', argv: argv.filter((word) => word !== 'loops') };
  let parsed: ReturnType<typeof read>;
  try {
    parsed = read(argv);
  } catch (error) {
    return bad(`${error instanceof Error ? error.message.split('. ')[0] : error}`);
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { type: 'help' };
  const only = (values.only ?? '').split(',').filter((name) => name !== '');
  if (values.only !== undefined && only.length === 0) return bad('--only needs a name');
  if (values.json === '') return bad('--json needs the name of a file');
  const given = [...positionals, ...only];
  const numbers = given.filter((name) => /^\d+$/.test(name));
  const names = given.filter((name) => !numbers.includes(name));
  const unknown = names.find((name) => !known(name));
  if (unknown !== undefined) return bad(`There is no benchmark named ${unknown}`);
  if (numbers.length > (names.includes('crash') ? 1 : 0)) return bad(`A number, ${numbers.at(-1)}, means nothing here`);
  const kills = Number(numbers[0] ?? KILLS);
  if (kills < 1 || !Number.isSafeInteger(kills)) return bad('Expected at least one process to kill');
  return check({
    ...values,
    kills,
    names: (names.length === 0 ? DEFAULT : names).flatMap((name) => GROUPS[name] ?? [name]),
  });
}

interface Wish {
  readonly names: readonly string[];
  readonly kills: number;
  readonly quick?: boolean;
  readonly save?: boolean;
  readonly check?: boolean;
  readonly json?: string;
}

function check({ names, kills, quick = false, save = false, check: checked = false, json }: Wish): Flags {
  const workloads = SUITE.filter((name) => names.includes(name));
  const sections = SECTIONS.filter((name) => names.includes(name));
  if (save && (quick || workloads.length < SUITE.length))
    return bad('--save needs the whole speed suite: give neither --quick nor names of a part of it');
  if (save && checked) return bad('--save and --check are two runs: check first, then save');
  if (checked && workloads.length === 0) return bad('--check needs something of the speed suite to compare');
  if (json !== undefined && workloads.length === 0)
    return bad('--json writes results of the speed suite, and none of it was named');
  return { type: 'run', request: { sections, workloads, quick, save, check: checked, json: json ?? null, kills } };
}

function read(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      save: { type: 'boolean' },
      check: { type: 'boolean' },
      help: { type: 'boolean' },
      json: { type: 'string' },
      only: { type: 'string' },
    },
  });
}

function known(name: string): boolean {
  return Object.hasOwn(GROUPS, name) || SUITE.includes(name) || SECTIONS.some((section) => section === name);
}

/** Makes the folder of a file, and says in a sentence why the file could not be written; null when it could. For before minutes of work, not after. */
export async function unwritable(file: string): Promise<string | null> {
  const wasThere = existsSync(file);
  try {
    await makeFolder(dirname(file));
    await (await open(file, 'a')).close();
    // An empty file would be taken for results by whoever reads it when the run is stopped.
    if (!wasThere) await rm(file);
    return null;
  } catch (error) {
    return `${file}: expected a file that can be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function bad(sentence: string): Flags {
  return { type: 'bad', sentence: `${sentence}. See npm run bench -- --help` };
}
