/** `npm run learn`: see `--help`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { LearnedWorth } from '../../src/core/worth/weigh.ts';
import { measuredCommit } from '../commit.ts';
import { featureFingerprint } from './fingerprint.ts';
import { leaveOneOut, sourcesOf, tabled } from './folds.ts';
import { type KeptRow, keptIn } from './kept.ts';
import { type Labelled, readFolder, readShipped } from './read-labelled.ts';
import { LARGE_TARGETS, reportOf } from './report.ts';
import { stitched } from './stitch.ts';
import { study } from './study.ts';
import { train } from './train.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const WEIGHTS = here('../../src/core/worth/learned.json');
const REPORT = here('../../docs/learned.md');
/** A folder of labelled sessions that may lie next to the clone. */
const NEXT_TO_CLONE = here('../../../shared/bench');
const TARGETS = ['10', '20', '1000t', '2000t', '4000t'];

const HELP = `Learns the worth of passages and terms from sessions with facts, and measures it on repositories left out.

  npm run learn [-- FLAGS]

  --data DIR     folder with conversations/NAME.json, facts/NAME.json and sources.json
                 (default: shared/bench next to the clone, else the sessions that ship)
  --targets LIST sizes to measure, such as 10,20,2000t (default: ${TARGETS.join(',')})
  --study        also measure every feature by leaving it out, and the learning curve (half an hour)
  --save         write src/core/worth/learned.json and docs/learned.md instead of printing the report
  --stamp        change nothing but the fingerprint of the features: for a change that is meant, without the data
  --help         this text

Examples
  npm run learn                                   learn, and print the table (5 minutes)
  npm run learn -- --data ~/labelled --save       learn from your own sessions
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      targets: { type: 'string' },
      study: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      stamp: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.stamp) return stamp();
  const targets = (values.targets ?? TARGETS.join()).split(',');
  const wrong = targets.find((target) => !/^\d+t?$/.test(target));
  if (wrong !== undefined) throw new Error(`--targets: expected numbers such as 10 or 2000t, found "${wrong}"`);
  const labelled = read(values.data);
  say(`${labelled.sessions.length} sessions of ${labelled.name}`);
  const sessions = tabled(labelled.sessions);
  if (sourcesOf(sessions).length < 2) throw new Error('learning needs sessions of at least two repositories');
  const learned = leaveOneOut(sessions, { onSource: (source) => say(`without ${source}`) });
  const rows: KeptRow[] = [];
  for (const { session } of sessions) {
    say(`views of ${session.name}`);
    const own = learned.get(session.source);
    if (own !== undefined) rows.push(...(await keptIn(session, targets, own)));
  }
  const large = await largeRows(labelled, learned);
  const studied = values.study ? await study(sessions, say) : null;
  const all = train(sessions.map(({ tables }) => tables));
  const report = reportOf({ about: aboutLine(labelled), targets, rows, large, study: studied });
  if (!values.save) process.stdout.write(report);
  else {
    writeFileSync(WEIGHTS, weightsFile(all, aboutOf(labelled)));
    writeFileSync(REPORT, report);
    say(`wrote ${WEIGHTS} and ${REPORT}`);
  }
  return 0;
}

const LARGE = [200_000, 400_000, 800_000];

async function largeRows(
  { sessions }: Labelled,
  learned: ReadonlyMap<string, LearnedWorth>,
): Promise<readonly (readonly [number, readonly KeptRow[]])[]> {
  const all: [number, KeptRow[]][] = [];
  for (const tokens of LARGE) {
    const rows: KeptRow[] = [];
    for (const session of stitched(sessions, tokens)) {
      say(`views of ${session.name}`);
      const own = learned.get(session.source);
      if (own !== undefined) rows.push(...(await keptIn(session, LARGE_TARGETS, own)));
    }
    all.push([tokens, rows]);
  }
  return all;
}

/** The sessions that ship are always part of it. */
function read(folder: string | undefined): Labelled {
  const shipped = readShipped();
  const from = folder ?? (existsSync(NEXT_TO_CLONE) ? NEXT_TO_CLONE : null);
  if (from === null) return shipped;
  const { sessions, name, hash } = readFolder(from);
  return {
    sessions: [...sessions, ...shipped.sessions],
    name: `${name} + ${shipped.name}`,
    hash: `${hash} ${shipped.hash}`,
  };
}

interface About {
  readonly data: string;
  readonly hash: string;
  readonly sessions: number;
  readonly sources: number;
  readonly facts: number;
  readonly commit: string | null;
  readonly features: string;
}

function aboutOf({ sessions, name, hash }: Labelled): About {
  return {
    data: name,
    hash,
    sessions: sessions.length,
    sources: new Set(sessions.map(({ source }) => source)).size,
    facts: sessions.reduce((sum, { facts }) => sum + facts.length, 0),
    commit: measuredCommit(),
    features: featureFingerprint(),
  };
}

function aboutLine(labelled: Labelled): string {
  const { sessions, sources, facts, commit } = aboutOf(labelled);
  return `Made by \`npm run learn\` from ${sessions} sessions of ${sources} repositories with ${facts} facts, at commit ${commit ?? 'unknown'}.`;
}

/** One tree per line, so that a change of weights can be read as one. */
function weightsFile({ passages, terms }: LearnedWorth, about: About): string {
  const part = ({ features, trees }: LearnedWorth['passages']): string =>
    `{\n"features": ${JSON.stringify(features)},\n"trees": [\n${trees.map((tree) => JSON.stringify(tree)).join(',\n')}\n]\n}`;
  return `{\n"about": ${JSON.stringify(about)},\n"passages": ${part(passages)},\n"terms": ${part(terms)}\n}\n`;
}

function stamp(): number {
  const content = readFileSync(WEIGHTS, 'utf8');
  writeFileSync(WEIGHTS, content.replace(/"features":"[0-9a-f]+"/, `"features":"${featureFingerprint()}"`));
  say(`stamped ${WEIGHTS}`);
  return 0;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  say(`learn: ${(error as Error).message}`);
  process.exitCode = 2;
}
