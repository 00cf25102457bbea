import { availableParallelism } from 'node:os';
import { PrecisError } from '../../../core/errors.ts';
import { rulesById } from '../../../replay/cache/rules/by-id.ts';
import { type ReplaySummary, summarizeReplay } from '../../../replay/metrics/summary.ts';
import type { Policy } from '../../../replay/policies/policy.ts';
import { USUAL_PACE_MS } from '../../../replay/trace/from-session.ts';
import { replayHtml } from '../../../report/replay/html.ts';
import { replayJson } from '../../../report/replay/json.ts';
import { replayMarkdown } from '../../../report/replay/markdown.ts';
import { replayText } from '../../../report/replay/text.ts';
import { checkOutput, type OverwriteFlags, writeOutput } from '../../disk/output-file.ts';
import { counted } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import type { ReplaySettings, SessionOutcome } from './job.ts';
import { replaySessions } from './replay-sessions.ts';
import { type GivenSession, sessionsAt } from './sessions.ts';

export interface ReplayFlags extends OverwriteFlags {
  readonly policies?: readonly string[];
  readonly policy?: readonly string[];
  readonly prices?: readonly string[];
  readonly window: number;
  readonly pace?: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
  readonly workers?: number;
}

const USUAL_PRICES: readonly string[] = ['anthropic-5m', 'openai-5.6'];

export async function runReplay(world: World, paths: readonly string[], flags: ReplayFlags): Promise<void> {
  const started = world.now();
  const { allPolicyIds } = await import('./job.ts');
  const settings = settingsFrom(flags, allPolicyIds);
  const policies = await distinctPolicies(settings);
  const prices = settings.prices.map((id) => rulesById(id));
  await checkPlaces(world, flags);
  const sessions = await sessionsAt(world, paths);
  const workers = Math.min(flags.workers ?? availableParallelism(), sessions.length);
  const outcomes = await replaySessions(world, sessions, { settings, workers });
  const report = reportFrom(sessions, outcomes, { settings, policies, prices });
  if (report.sessions.length === 0) {
    const [first] = outcomes;
    const why = first?.type === 'failed' ? `: ${sessions[0]?.path}: ${first.error}` : '';
    throw new PrecisError('bad-input', `expected sessions that can be replayed, but found none${why}`);
  }
  const { markdown, html } = flags;
  if (isFile(markdown)) await writeOutput(world, { path: markdown, text: replayMarkdown(report) }, flags);
  if (isFile(html)) await writeOutput(world, { path: html, text: replayHtml(report) }, flags);
  world.out(printed(flags)(report));
  const seconds = ((world.now() - started) / 1000).toFixed(1);
  const skipped = outcomes.filter((outcome, at) => isNoSession(outcome) && sessions[at]?.isFound === true).length;
  world.err(
    `${counted(report.sessions.length, 'session')} × ${policies.length} ${policies.length === 1 ? 'policy' : 'policies'} × ${counted(prices.length, 'price list')} in ${seconds} s ${workers === 0 ? 'on the main thread' : `with ${counted(workers, 'worker')}`}${skipped === 0 ? '' : `; ${counted(skipped, 'file')} held no session`}.\n${[
      markdown,
      html,
    ]
      .filter(isFile)
      .map((path) => `Written to ${path}.\n`)
      .join('')}`,
  );
}

function settingsFrom(flags: ReplayFlags, allPolicyIds: readonly string[]): ReplaySettings {
  return {
    policies: flags.policies ?? (flags.policy === undefined ? allPolicyIds : ['none', 'summary-85', 'precis']),
    policyFiles: flags.policy ?? [],
    prices: flags.prices ?? USUAL_PRICES,
    window: flags.window,
    paceMs: flags.pace ?? USUAL_PACE_MS,
    seed: flags.seed,
  };
}

async function distinctPolicies(settings: ReplaySettings): Promise<readonly Policy[]> {
  const { policiesOf } = await import('./job.ts');
  const policies = await policiesOf(settings);
  const twice = policies.find(({ id }, index) => policies.findIndex((other) => other.id === id) < index);
  if (twice === undefined) return policies;
  throw new PrecisError('bad-option', `Expected policies with different ids, got \`${twice.id}\` twice`);
}

/** Only one thing can go to standard output, and every output file must be writable. */
async function checkPlaces(world: World, flags: ReplayFlags): Promise<void> {
  const asked = [
    ...(flags.json === true ? ['--json'] : []),
    ...(flags.markdown === '-' ? ['--markdown -'] : []),
    ...(flags.html === '-' ? ['--html -'] : []),
  ];
  if (asked.length > 1)
    throw new PrecisError('bad-option', `expected one thing for standard output, got \`${asked.join('` and `')}\``);
  for (const file of [flags.markdown, flags.html]) if (isFile(file)) await checkOutput(world, file, flags);
}

function isFile(place: string | undefined): place is string {
  return place !== undefined && place !== '-';
}

function printed({ json, markdown, html }: ReplayFlags): (report: ReplaySummary) => string {
  if (json === true) return replayJson;
  if (markdown === '-') return replayMarkdown;
  return html === '-' ? replayHtml : replayText;
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
