import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import { rulesById } from '../../../replay/cache/rules/by-id.ts';
import { type ReplaySummary, summarizeReplay } from '../../../replay/metrics/summary.ts';
import { USUAL_PACE_MS } from '../../../replay/trace/from-session.ts';
import { replayHtml } from '../../../report/replay/html.ts';
import { replayJson } from '../../../report/replay/json.ts';
import { replayMarkdown } from '../../../report/replay/markdown.ts';
import { replayText } from '../../../report/replay/text.ts';
import { checkOutput, writeOutput } from '../../disk/output-file.ts';
import { wholeNumber } from '../../flags.ts';
import { counted } from '../../screen/paint.ts';
import { createProgress } from '../../screen/progress.ts';
import type { World } from '../../world.ts';
import type { ReplaySettings, SessionOutcome } from './job.ts';

interface ReplayFlags {
  readonly policies?: readonly string[];
  readonly policy?: readonly string[];
  readonly prices?: readonly string[];
  readonly window: number;
  readonly pace?: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
  readonly force?: boolean;
  readonly workers?: number;
}

/** What the models that most agents run on accept. */
const USUAL_WINDOW = 200_000;
const USUAL_PRICES: readonly string[] = ['anthropic-5m', 'openai-5.6'];

export function replayCommand(world: World): Command {
  return new Command('replay')
    .description('Replay recorded sessions under many policies: what each would have cost, cut and kept.')
    .argument('<sessions...>', 'logs of agents or files of messages; folders are searched')
    .option('--policies <ids>', 'policies to replay, with commas (default: all that come with precis)', list)
    .option('--policy <file>', 'a module whose default export is a policy of yours; may be repeated', collect)
    .option('--prices <ids>', 'prices and cache rules, with commas (default: anthropic-5m,openai-5.6)', list)
    .option('--window <tokens>', 'tokens that a request may hold', wholeNumber(1000), USUAL_WINDOW)
    .option('--pace <time>', 'time between requests where a log has none, such as 5m (default: 30s)', duration)
    .option('--seed <n>', 'for providers whose cache is not always found', wholeNumber(0), 1)
    .option('--json', 'print all results as JSON on standard output, and nothing else')
    .option('--markdown <file>', 'write a report as Markdown; `-`: to standard output')
    .option('--html <file>', 'write a report with plots, one page that needs nothing else; `-`: to standard output')
    .option('--force', 'overwrite files')
    .option('--workers <n>', 'threads; 0 works in this one (default: one for each core)', wholeNumber(0))
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: ReplayFlags) => replay(world, paths, flags));
}

const EXAMPLES = `
Examples:
  Every policy over one session:
    precis replay session.jsonl
  Ours beside two others over a folder, with plots:
    precis replay ./logs --policies none,summary-85,precis --html replay.html
  A policy of your own, in a smaller window, as JSON:
    precis replay session.jsonl --policy ./mine.js --window 128k --json

Nothing is sent anywhere. What the agent would have done after a compaction is not
modelled: see docs/replay.md.`;

async function replay(world: World, paths: readonly string[], flags: ReplayFlags): Promise<void> {
  const started = world.now();
  const { policiesOf, allPolicyIds } = await import('./job.ts');
  const settings: ReplaySettings = {
    policies: flags.policies ?? (flags.policy === undefined ? allPolicyIds : ['none', 'summary-85', 'precis']),
    policyFiles: flags.policy ?? [],
    prices: flags.prices ?? USUAL_PRICES,
    window: flags.window,
    paceMs: flags.pace ?? USUAL_PACE_MS,
    seed: flags.seed,
  };
  const policies = await policiesOf(settings);
  const twice = policies.find(({ id }, index) => policies.findIndex((other) => other.id === id) < index);
  if (twice !== undefined)
    throw new PrecisError('bad-option', `Expected policies with different ids, got \`${twice.id}\` twice`);
  const prices = settings.prices.map((id) => rulesById(id));
  await checkPlaces(world, flags);
  const sessions = await sessionsOf(world, paths);
  const workers = Math.min(flags.workers ?? availableParallelism(), sessions.length);
  const outcomes = await outcomesOf(world, sessions, settings, workers);
  const report = reportFrom(sessions, outcomes, { settings, policies, prices });
  if (report.sessions.length === 0) {
    const [first] = outcomes;
    const why = first?.type === 'failed' ? `: ${sessions[0]?.path}: ${first.error}` : '';
    throw new PrecisError('bad-input', `expected sessions that can be replayed, but there is none${why}`);
  }
  const { markdown, html } = flags;
  if (isFile(markdown)) await writeOutput(world, markdown, replayMarkdown(report), flags.force === true);
  if (isFile(html)) await writeOutput(world, html, replayHtml(report), flags.force === true);
  world.out(printed(flags)(report));
  const seconds = ((world.now() - started) / 1000).toFixed(1);
  const skipped = outcomes.filter((outcome, at) => isNoSession(outcome) && sessions[at]?.isFound === true).length;
  world.err(
    `${counted(report.sessions.length, 'session')} × ${policies.length} policies × ${prices.length} prices in ${seconds} s with ${workers} workers${skipped === 0 ? '' : `; ${counted(skipped, 'file')} held no session`}.\n`,
  );
}

/** Only one thing can go to standard output; where a file is asked for, it must be possible to write it. */
async function checkPlaces(world: World, flags: ReplayFlags): Promise<void> {
  const asked = [
    ...(flags.json === true ? ['--json'] : []),
    ...(flags.markdown === '-' ? ['--markdown -'] : []),
    ...(flags.html === '-' ? ['--html -'] : []),
  ];
  if (asked.length > 1)
    throw new PrecisError('bad-option', `expected one thing for standard output, got \`${asked.join('` and `')}\``);
  for (const file of [flags.markdown, flags.html])
    if (isFile(file)) await checkOutput(world, file, flags.force === true);
}

function isFile(place: string | undefined): place is string {
  return place !== undefined && place !== '-';
}

function printed({ json, markdown, html }: ReplayFlags): (report: ReplaySummary) => string {
  if (json === true) return replayJson;
  if (markdown === '-') return replayMarkdown;
  return html === '-' ? replayHtml : replayText;
}

interface GivenSession {
  readonly path: string;
  /** True when it was found in a folder, where files may hold anything. */
  readonly isFound: boolean;
}

async function sessionsOf(world: World, paths: readonly string[]): Promise<readonly GivenSession[]> {
  const sessions = new Map<string, GivenSession>();
  for (const path of paths) {
    if (path === '-')
      throw new PrecisError('bad-option', 'expected files or folders, got `-`; put the session in a file first');
    if ((await world.kindOf(path)) !== 'directory') sessions.set(path, { path, isFound: false });
    else {
      const found = await world.find(path);
      // The largest first: a thread that gets it last would keep all others waiting.
      for (const each of found.toSorted((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0)))
        sessions.set(each.path, sessions.get(each.path) ?? { path: each.path, isFound: true });
    }
  }
  if (sessions.size > 0) return [...sessions.values()];
  throw new PrecisError('bad-input', `${paths.join(', ')}: expected sessions, found no file that may hold one`);
}

const BAR = 20;

async function outcomesOf(
  world: World,
  sessions: readonly GivenSession[],
  settings: ReplaySettings,
  workers: number,
): Promise<readonly SessionOutcome[]> {
  const progress = createProgress(world, Number.POSITIVE_INFINITY);
  const paths = sessions.map(({ path }) => path);
  const show = (done: number, path: string): void => {
    const filled = Math.round((BAR * done) / paths.length);
    progress.say(`${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done} of ${paths.length}  ${path}`);
  };
  show(0, '');
  try {
    if (workers > 0) {
      const { replayOnWorkers } = await import('./pool.ts');
      return await replayOnWorkers(paths, { workers, settings, onDone: show, onInterrupt: progress.clear });
    }
    const { replaySession } = await import('./job.ts');
    const outcomes: SessionOutcome[] = [];
    for (const path of paths) {
      outcomes.push(await replaySession(path, settings, (name) => world.open(name, {})));
      show(outcomes.length, path);
    }
    return outcomes;
  } finally {
    progress.clear();
  }
}

function isNoSession(outcome: SessionOutcome): boolean {
  return outcome.type === 'failed' && !outcome.isSession;
}

function reportFrom(
  sessions: readonly GivenSession[],
  outcomes: readonly SessionOutcome[],
  about: { readonly settings: ReplaySettings } & Pick<ReplaySummary, 'prices' | 'policies'>,
): ReplaySummary {
  return summarizeReplay({
    window: about.settings.window,
    paceMs: about.settings.paceMs,
    policies: about.policies,
    prices: about.prices,
    replayed: outcomes.flatMap((outcome) => (outcome.type === 'replayed' ? [outcome] : [])),
    failures: outcomes.flatMap((outcome, at) => {
      const given = sessions[at];
      if (outcome.type !== 'failed' || given === undefined || (given.isFound && !outcome.isSession)) return [];
      return [{ session: given.path, error: outcome.error }];
    }),
  });
}

function list(text: string): readonly string[] {
  const ids = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (ids.length > 0) return [...new Set(ids)];
  throw new InvalidArgumentError('Expected names separated by commas.');
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  const unit = UNITS[match?.[2] ?? ''];
  if (match !== null && unit !== undefined) return Number(match[1]) * unit;
  throw new InvalidArgumentError('Expected a time such as 30s, 500ms, 5m or 1h.');
}
