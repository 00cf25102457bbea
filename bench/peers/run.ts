import { stat, writeFile } from 'node:fs/promises';
import { cpus, type as osType } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measuredCommit } from '../commit.ts';
import { unwritable } from '../flags.ts';
import { ARMS } from './all-arms.ts';
import { countTokens, newestWithin } from './arms/steps.ts';
import { costResults } from './cost.ts';
import { fileRows } from './file-states.ts';
import { type Flags, HELP, parseFlags } from './flags.ts';
import { defaultCache } from './install.ts';
import { misbehaviourRows } from './misbehaviours.ts';
import { NOT_RUN } from './packages.ts';
import { placeArms } from './placed.ts';
import type { CostResults, PeersResults, Share } from './results.ts';
import { loadSessions } from './sessions.ts';
import { LEAST_TOKENS, survivalRows } from './survival-rows.ts';
import { tablesOf } from './tables.ts';
import { textOfView } from './text.ts';
import type { BenchSession } from './types.ts';

/** `npm run bench:peers`: see `--help`. */
const SAVED = fileURLToPath(new URL('../results/peers.json', import.meta.url));
/** Above every session, so that nobody has to cut before being asked to. */
const WINDOW = 4_000_000;
/** Arms at a time where time is not what is measured. */
const LANES = 2;
const NO_COST: CostResults = {
  session: { tokens: 0, messages: 0 },
  passes: [],
  turns: [],
  noise: { pass: 1, turn: 1 },
};

// Whoever started a child has it killed when the process ends; a signal alone would not get that far.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const parsed = parseFlags(process.argv.slice(2));
if (parsed.type === 'help') process.stdout.write(HELP);
else if (parsed.type === 'wrong') refuse(parsed.message);
else await main(parsed.flags);

async function main(flags: Flags): Promise<void> {
  const sessions = await sessionsOf(flags);
  if (sessions === null) return;
  const json = flags.json === null ? [] : [resolve(flags.json)];
  const saved = flags.isSaved ? [SAVED] : [];
  const cache = flags.cache === null ? defaultCache() : resolve(flags.cache);
  const problem = await wrongPlace([...json, ...saved], cache);
  if (problem !== null) return refuse(problem);
  const results = await measured(flags, sessions, cache);
  process.stdout.write(`${tablesOf(results)}\n`);
  const hasRun = results.arms.some(({ failed }) => failed === null);
  // What a failed run says of itself is for whoever asked; it never replaces what is kept with the project.
  for (const file of hasRun ? [...json, ...saved] : json)
    await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  if (hasRun) return;
  process.stderr.write('Expected at least one arm that runs to its end, but every one failed: see the reasons above\n');
  process.exitCode = 1;
}

/** Why nothing should be measured: a place that cannot be written to, or is no folder. */
async function wrongPlace(files: readonly string[], cache: string): Promise<string | null> {
  const problem = await notFolder(cache);
  if (problem !== null) return problem;
  for (const file of files) {
    const reason = await unwritable(file);
    if (reason !== null) return reason;
  }
  return null;
}

/** A folder that is not there yet is made by the first install. */
async function notFolder(cache: string): Promise<string | null> {
  try {
    return (await stat(cache)).isDirectory() ? null : `--cache ${cache}: expected a folder, found a file`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : `--cache ${cache}: expected a folder: ${message}`;
  }
}

async function sessionsOf({ sessions }: Flags): Promise<readonly BenchSession[] | null> {
  try {
    return await loadSessions(sessions, (note) => process.stderr.write(`Note: ${note}\n`));
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
    return null;
  }
}

async function measured(flags: Flags, sessions: readonly BenchSession[], cache: string): Promise<PeersResults> {
  const started = performance.now();
  const commit = measuredCommit();
  const onProgress = (line: string): void => tell(line, (performance.now() - started) / 1_000);
  const failures = new Map<string, string>();
  const onFailed = (arm: string, reason: string): void => void failures.set(arm, reason);
  const arms = flags.arms.length === 0 ? ARMS : ARMS.filter(({ id }) => flags.arms.includes(id));
  const { placed, results } = await placeArms(arms, {
    cache,
    mayInstall: flags.mayInstall,
    lanes: LANES,
    onProgress,
  });
  const runs = (part: Flags['parts'][number]): boolean => flags.parts.includes(part);
  const survival = runs('survival')
    ? await survivalRows({
        arms: placed,
        sessions,
        percent: flags.target,
        passes: flags.passes,
        window: WINDOW,
        lanes: LANES,
        onProgress,
        onFailed,
      })
    : [];
  const misbehaviours = runs('misbehaviours') ? await misbehaviourRows(placed, onProgress, onFailed) : [];
  const files = runs('files') ? await fileRows(placed, LANES, onProgress, onFailed) : [];
  const cost = runs('cost') ? await costResults(placed, onProgress, onFailed) : NO_COST;
  const seconds = Math.round((performance.now() - started) / 1_000);
  onProgress('done');
  if (process.stderr.isTTY) process.stderr.write('\n');
  return {
    date: new Date().toISOString().slice(0, 10),
    commit,
    node: process.versions.node,
    machine: `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}, ${osType()}`,
    place: flags.sessions,
    sessions: sessions.map(({ name, messages, facts }) => ({
      name,
      tokens: countTokens(messages),
      facts: facts.length,
    })),
    target: { percent: flags.target, leastTokens: LEAST_TOKENS },
    passes: flags.passes,
    window: WINDOW,
    floor: floorOf(sessions),
    arms: results.map((arm) => ({ ...arm, failed: arm.failed ?? failures.get(arm.id) ?? null })),
    survival,
    files,
    misbehaviours,
    cost,
    notRun: NOT_RUN,
    seconds,
  };
}

/** What somebody knows who has seen nothing but the rules and the first request. */
function floorOf(sessions: readonly BenchSession[]): Share {
  const facts = sessions.flatMap(({ messages, facts: own }) => {
    const text = textOfView(newestWithin(messages, 0));
    return own.map(({ needles }) => needles.every((needle) => text.includes(needle)));
  });
  return { kept: facts.filter((isThere) => isThere).length, facts: facts.length };
}

/** One line that changes where somebody looks on, a line each where it is kept. */
function tell(line: string, seconds: number): void {
  const text = `[${seconds.toFixed(0).padStart(4)} s] ${line}`;
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
}

function refuse(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
