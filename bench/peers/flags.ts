import { parseArgs } from 'node:util';
import { ARMS } from './all-arms.ts';

export const PARTS = ['survival', 'misbehaviours', 'files', 'cost'] as const;
export type Part = (typeof PARTS)[number];

/** What is saved with the project is measured with these. */
const USUAL_TARGET = 20;
const USUAL_PASSES = '1,3,5';

export interface Flags {
  /** Null for the sessions that are shipped. */
  readonly sessions: string | null;
  readonly target: number;
  readonly passes: readonly number[];
  /** Ids; all of them when none is named. */
  readonly arms: readonly string[];
  /** Null for the usual place. */
  readonly cache: string | null;
  readonly mayInstall: boolean;
  readonly parts: readonly Part[];
  /** File for the results. */
  readonly json: string | null;
  readonly isSaved: boolean;
}

export type Parsed =
  | { readonly type: 'run'; readonly flags: Flags }
  | { readonly type: 'help' }
  | { readonly type: 'wrong'; readonly message: string };

export const HELP: string = `Compares precis with other compactors. Each runs in its own process; all share one scripted summariser.

  npm run bench:peers -- [flags]

  --sessions DIR    sessions with facts (default: the shipped ones)
  --target PERCENT  size of a view as a share of its session (default: ${USUAL_TARGET})
  --passes LIST     numbers of compactions in a row, one run for each (default: ${USUAL_PASSES})
  --arms LIST       run only these: ${ARMS.map(({ id }) => id).join(', ')}
  --cache DIR       where to install the other compactors (default: $PRECIS_BENCH_CACHE, or the user's cache folder)
  --no-install      install nothing, and report missing arms as not run
  --only LIST       run only these parts: ${PARTS.join(', ')}
  --json FILE       write the results to FILE
  --save            write them to bench/results/peers.json (whole runs on the shipped sessions only)
  --help            this text

A folder for --sessions
  DIR/conversations/NAME.json   any session that precis reads; .jsonl when there is no .json
  DIR/facts/NAME.json           { "facts": [{ "id": "port", "kind": "number", "question": "Which port?", "needles": ["port 8080"] }] }
  A fact is kept if the view contains all its needles literally, apart from white space. Facts that are not literally in their session
  do not count. The kind \`constraint\` has its own column. Fixture folders, as for \`precis eval\`, also work.

Examples
  npm run bench:peers
  npm run bench:peers -- --only survival --arms truncation,pi-coding-agent --passes 1
  npm run bench:peers -- --sessions ./my-sessions --target 10 --json peers.json
`;

/** A bad flag is answered with one sentence that says what was expected. */
export function parseFlags(argv: readonly string[]): Parsed {
  try {
    return read(argv);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { type: 'wrong', message: said.startsWith('Expected') ? said : `Expected the flags of --help: ${said}` };
  }
}

function read(argv: readonly string[]): Parsed {
  const text = { type: 'string' } as const;
  const yes = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      sessions: text,
      target: text,
      passes: text,
      arms: text,
      cache: text,
      'no-install': yes,
      only: text,
      json: text,
      save: yes,
      help: yes,
    },
  });
  if (values.help === true) return { type: 'help' };
  // Nothing would be taken for the working folder, or for all arms.
  for (const name of ['sessions', 'cache', 'json', 'arms'] as const)
    if (values[name]?.replaceAll(',', '').trim() === '')
      throw new Error(`Expected ${WANTED[name]} for --${name}, got nothing`);
  const flags: Flags = {
    sessions: values.sessions ?? null,
    target: percent(values.target ?? String(USUAL_TARGET)),
    passes: listOf(values.passes ?? USUAL_PASSES).map(passCount),
    arms: listOf(values.arms ?? '').map((id) => oneOf('--arms', ARM_IDS, id)),
    cache: values.cache ?? null,
    mayInstall: values['no-install'] !== true,
    parts: values.only === undefined ? PARTS : listOf(values.only).map((part) => oneOf('--only', PARTS, part)),
    json: values.json ?? null,
    isSaved: values.save === true,
  };
  if (flags.passes.length === 0)
    throw new Error('Expected a list of numbers such as `1,3,5` for --passes, got nothing');
  if (flags.parts.length === 0) throw new Error(`Expected some of ${PARTS.join(', ')} for --only, got nothing`);
  if (flags.isSaved && flags.sessions !== null)
    throw new Error(
      'Expected --save without --sessions: only results on the shipped sessions are kept with the project',
    );
  if (flags.isSaved && (values.only !== undefined || values.arms !== undefined))
    throw new Error('Expected --save without --only and --arms: part of a run would replace a whole one');
  if (flags.isSaved && (flags.target !== USUAL_TARGET || flags.passes.join() !== USUAL_PASSES))
    throw new Error(
      `Expected --save without --target and --passes: only results with ${USUAL_TARGET} % and ${USUAL_PASSES} passes are kept with the project`,
    );
  return { type: 'run', flags };
}

const ARM_IDS: readonly string[] = ARMS.map(({ id }) => id);
const WANTED = {
  sessions: 'a folder',
  cache: 'a folder',
  json: 'a file',
  arms: `some of ${ARM_IDS.join(', ')}`,
} as const;

function listOf(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ''))];
}

function oneOf<Name extends string>(flag: string, names: readonly Name[], given: string): Name {
  const found = names.find((name) => name === given);
  if (found === undefined) throw new Error(`Expected some of ${names.join(', ')} for ${flag}, got \`${given}\``);
  return found;
}

function percent(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 90)) throw new Error(`Expected a number from 1 to 90 for --target, got \`${text}\``);
  return value;
}

const MOST_PASSES = 50;

function passCount(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > MOST_PASSES)
    throw new Error(`Expected whole numbers from 1 to ${MOST_PASSES} for --passes, got \`${text}\``);
  return value;
}
