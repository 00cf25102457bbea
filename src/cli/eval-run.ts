import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrecisError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
import { createMeasure } from '../core/tokens/measure.ts';
import { ARMS, type UserArm } from '../eval/arms.ts';
import { type AskPorts, createAsker, type Missing } from '../eval/ask.ts';
import { readEvents } from '../eval/cells.ts';
import { checkBank } from '../eval/check/check.ts';
import { createBudget, type Estimate, type EstimatedCalls, estimateOf } from '../eval/cost.ts';
import { kinshipWarnings } from '../eval/judge.ts';
import { createLimiter } from '../eval/limiter.ts';
import { rubricDigest } from '../eval/rubric.ts';
import { type RunInput, runFixture } from '../eval/run.ts';
import { RECALL_TOKENS } from '../eval/search.ts';
import type { EvalSession } from '../eval/session.ts';
import type { ProbeBank, RunResult } from '../eval/types.ts';
import type { Environment } from '../models/providers.ts';
import { plainMessages, userArmFrom } from './eval-arm.ts';
import { diskCache, newestLabel, type ResultsFolder, resultsFolder, runFile, sha256 } from './eval-disk.ts';
import type { EvalFlags } from './eval-flags.ts';
import { createEvalProgress } from './eval-progress.ts';
import { type OpenFixture, openFixtures } from './fixtures.ts';
import { counted, whole } from './paint.ts';
import type { World } from './world.ts';

export interface Evaluated {
  readonly label: string;
  /** Where the results are. */
  readonly path: string;
  readonly runs: readonly RunResult[];
  /** True when the cost cap kept questions from being asked. */
  readonly isCapped: boolean;
  /** True when someone pressed Ctrl-C. */
  readonly isInterrupted: boolean;
  /** Calls that were paid for by this process, and all that was spent under this label. */
  readonly calls: number;
  readonly usd: number;
}

export interface EvalJob {
  readonly world: World;
  readonly flags: EvalFlags;
  readonly env: Environment;
  readonly defaultRuns: number;
  readonly arms: readonly string[];
  /** Given, nothing is asked and nothing written: requests go here. */
  readonly defer?: (missing: Missing) => void;
}

const RESULTS = 'results';
const DEFAULT_SHARE = 0.2;
const DEFAULT_CONCURRENCY = 8;

/** Everything an evaluation needs, read and checked before the first call. */
interface Prepared {
  readonly label: string;
  readonly folder: ResultsFolder;
  readonly fixtures: readonly Planned[];
  readonly userArms: readonly UserArm[];
  readonly models: Models;
  readonly runs: number;
  readonly rubric: string;
  readonly precis: string;
}

interface Planned extends OpenFixture {
  readonly bank: ProbeBank;
  readonly session: EvalSession;
  readonly target: number;
  readonly passes: number;
  readonly tokens: number;
}

interface Models {
  readonly compressor: Model | null;
  readonly exam: { readonly answerer: Model; readonly judge: Model } | null;
  readonly warnings: readonly string[];
}

export async function evaluate(job: EvalJob): Promise<Evaluated> {
  const { world, flags } = job;
  const prepared = await prepare(job);
  const { folder, label, models, fixtures, runs } = prepared;
  const isLive = job.defer === undefined;
  const estimate = estimateFor(prepared, job);
  if (isLive) announce(job, prepared, estimate);
  const earlier = readEvents(flags.resume === true ? await folder.events() : '');
  const budget = createBudget(flags.maxCost ?? null, earlier.usd);
  let calls = 0;
  const progress = createEvalProgress(world, answersOf(prepared, job), () => budget.spent);
  const stop = new AbortController();
  const release = isLive ? onInterrupt(() => stop.abort()) : () => {};
  const { o200k } = await import('../models/o200k.ts');
  const ports: AskPorts = {
    cache: diskCache(join(flags.results ?? RESULTS, '.cache')),
    budget,
    limiter: createLimiter(flags.concurrency ?? DEFAULT_CONCURRENCY),
    counter: o200k,
    digest: sha256,
    sleep: (ms, signal) => wait(ms, signal),
    random: Math.random,
    now: world.now,
    onCall: async (call) => {
      calls++;
      await folder.append(call);
    },
    signal: stop.signal,
    ...(flags.fresh === true ? { salt: label } : {}),
    ...(job.defer === undefined ? {} : { defer: job.defer }),
  };
  const asker = createAsker(ports);
  const results: RunResult[] = [];
  try {
    if (isLive) await folder.write('run.json', `${JSON.stringify(settingsOf(prepared, job), null, 2)}\n`);
    for (let run = 1; run <= runs; run++)
      for (const planned of fixtures) {
        const known = flags.resume === true ? await folder.run(planned.fixture.name, run) : null;
        if (known !== null && isComplete(known)) {
          progress.step(known.cells.length);
          results.push(known);
          continue;
        }
        const result = await runFixture(inputFor(prepared, planned, run, job), {
          counter: o200k,
          asker,
          plain: plainMessages,
          digest: sha256,
          now: world.now,
          date: () => new Date().toISOString(),
          earlier,
          signal: stop.signal,
          ...(isLive
            ? {
                onState: (state) => folder.append({ type: 'state', fixture: planned.fixture.name, run, state }),
                onCell: async (key, cell, { isNew, usd }) => {
                  if (isNew && models.exam !== null) await folder.append({ type: 'cell', key, cell, usd });
                  progress.step();
                },
              }
            : {}),
        });
        if (isLive) await folder.write(runFile(planned.fixture.name, run), `${JSON.stringify(result, null, 1)}\n`);
        results.push(result);
      }
  } catch (error) {
    if (!(PrecisError.is(error) && error.code === 'aborted')) throw error;
  } finally {
    release();
    progress.clear();
  }
  return {
    label,
    path: folder.path,
    runs: results,
    isCapped: budget.isExhausted,
    isInterrupted: stop.signal.aborted,
    calls,
    usd: budget.spent,
  };
}

/** A run with errors in it is gone over again when it is resumed. */
function isComplete({ cells, states }: RunResult): boolean {
  return (
    cells.every(({ judged }) => judged?.outcome !== 'error') &&
    states.every(({ invalid }) => invalid === null || !/compressor|cost cap/.test(invalid))
  );
}

async function prepare(job: EvalJob): Promise<Prepared> {
  const { world, flags, env } = job;
  const results = flags.results ?? RESULTS;
  const label = flags.label ?? (flags.resume === true ? await newestLabel(results) : null) ?? timeLabel();
  if (!/^[\w][\w.@+-]{0,79}$/.test(label))
    throw new PrecisError('bad-option', `expected \`--label\` to be a name for a folder, got \`${label}\``);
  const folder = resultsFolder(results, label);
  const known = await folder.settings();
  if (known !== null && flags.resume !== true && job.defer === undefined)
    throw new PrecisError(
      'bad-option',
      `${folder.path} is there already; go on with it by \`--resume\`, or choose another \`--label\``,
    );
  if (known === null && flags.resume === true && flags.label !== undefined)
    throw new PrecisError('bad-option', `${folder.path} is not there: there is nothing to resume`);
  const userArms: UserArm[] = [];
  for (const spec of flags.arm ?? []) userArms.push(keptArm(await userArmFrom(spec), spec, folder));
  const twice = userArms.find(({ name }, at) => userArms.findIndex((arm) => arm.name === name) !== at);
  if (twice !== undefined)
    throw new PrecisError(
      'bad-option',
      `expected every \`--arm\` to have a name of its own, got \`${twice.name}\` twice`,
    );
  const models = await modelsFrom(flags, env);
  const { o200k } = await import('../models/o200k.ts');
  const measure = createMeasure(o200k);
  const loaded = await fixturesFrom(world, flags);
  if (loaded.length === 0)
    throw new PrecisError('bad-option', 'expected at least one fixture, found none; name them with `--fixtures`');
  const fixtures = loaded.map((each): Planned => {
    const { conversation, format } = each;
    const tokens = measure.conversation(conversation);
    const { target } = flags;
    const share = target !== undefined && 'share' in target ? target.share : DEFAULT_SHARE;
    const size =
      target !== undefined && 'tokens' in target ? target.tokens : target === undefined ? each.fixture.target : null;
    const named = each.bank.probes.flatMap(({ pass }) => pass ?? []);
    return {
      ...each,
      session: { conversation, format },
      tokens,
      target: size ?? Math.round(tokens * share),
      passes: flags.passes ?? Math.max(1, ...named),
    };
  });
  for (const { fixture, bank, conversation } of loaded) {
    const { rejected } = checkBank(fixture, bank, { conversation, counter: o200k });
    if (rejected.length > 0)
      world.err(
        `note: ${fixture.name}: ${rejected.length} of ${counted(bank.probes.length, 'probe')} cannot tell compaction from chance (${rejected.map(({ probe }) => probe).join(', ')}); \`precis probes --check\` says why\n`,
      );
  }
  const isAsking = models.exam !== null || models.compressor !== null;
  const prepared: Prepared = {
    label,
    folder,
    fixtures,
    userArms,
    models,
    // What code alone makes is the same every time.
    runs: flags.runs ?? (isAsking || userArms.length > 0 ? job.defaultRuns : 1),
    rubric: rubricDigest(sha256),
    precis: version(),
  };
  if (known !== null && flags.resume === true) checkSame(known, settingsOf(prepared, job), folder.path);
  for (const model of [models.compressor, models.exam?.answerer, models.exam?.judge])
    if (flags.maxCost !== undefined && model != null && model.prices === null)
      throw new PrecisError('bad-option', `\`--max-cost\` cannot hold: the price of ${model.id} is not known`);
  return prepared;
}

/** A compactor of the user may ask models too: what it gave back is kept under the label, so that it is not asked twice. */
function keptArm(arm: UserArm, spec: string, folder: ResultsFolder): UserArm {
  return {
    name: arm.name,
    async compact(messages, info) {
      const key = sha256(JSON.stringify([spec, info, messages])).slice(0, 40);
      const known = await folder.kept(key);
      if (known !== undefined) return known;
      const made = await arm.compact(messages, info);
      // What is no JSON is no list of messages either, and is found out where it is read.
      if (made !== undefined) await folder.keep(key, made);
      return made;
    },
  };
}

/** What must be the same when an evaluation is resumed. */
function settingsOf(
  { label, fixtures, models, rubric, precis, runs }: Prepared,
  { flags, arms }: EvalJob,
): Readonly<Record<string, unknown>> {
  return {
    version: 1,
    label,
    precis,
    arms,
    userArms: flags.arm ?? [],
    runs,
    fixtures: fixtures.map(({ fixture, bank, target, passes }) => ({
      name: fixture.name,
      digest: fixture.digest,
      bank: bank.digest,
      target,
      passes,
    })),
    compressorModel: models.compressor?.id ?? null,
    answerModel: models.exam?.answerer.id ?? null,
    judgeModel: models.exam?.judge.id ?? null,
    focusTopic: flags.focusTopic ?? null,
    template: flags.template ?? null,
    fresh: flags.fresh === true,
    rubricDigest: rubric,
  };
}

function checkSame(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  path: string,
): void {
  const different = Object.keys(now).filter(
    (key) => key !== 'runs' && JSON.stringify(before[key]) !== JSON.stringify(now[key]),
  );
  if (different.length === 0) return;
  throw new PrecisError(
    'bad-option',
    `${path} was made with other settings (${different.join(', ')}): resume it with the same, or choose another \`--label\``,
  );
}

type Probed = OpenFixture & { readonly bank: ProbeBank };

/** Those of the project, else those that come with precis: a folder of this name may hold something else altogether. */
async function fixturesFrom(world: World, { fixtures }: EvalFlags): Promise<readonly Probed[]> {
  const names = (fixtures ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (fixtures !== undefined && names.length === 0)
    throw new PrecisError('bad-option', 'expected `--fixtures` to name fixtures, separated by commas, got none');
  const isThere = (await world.kindOf('fixtures')) === 'directory';
  const shipped = fileURLToPath(new URL('../../fixtures', import.meta.url));
  const root = isThere ? 'fixtures' : shipped;
  const opened = await openFixtures(world, names.length > 0 ? names : root, root);
  const own = probed(opened);
  const bare = opened.find(({ bank }) => bank === null);
  if (names.length > 0 && bare !== undefined)
    throw new PrecisError(
      'bad-input',
      `${bare.fixture.file}: expected probes beside it, in probes.json, but there are none; \`precis probes\` drafts some`,
    );
  return own.length > 0 || root === shipped ? own : probed(await openFixtures(world, shipped, shipped));
}

function probed(fixtures: readonly OpenFixture[]): readonly Probed[] {
  return fixtures.flatMap((each) => (each.bank === null ? [] : [{ ...each, bank: each.bank }]));
}

async function modelsFrom(flags: EvalFlags, env: Environment): Promise<Models> {
  const warnings: string[] = [];
  const { namedModel } = await import('../models/named.ts');
  const find = (name: string): Model => {
    const found = namedModel(name, { env, ...(flags.timeout === undefined ? {} : { idleMs: flags.timeout * 1000 }) });
    if (found.type === 'unavailable') throw new PrecisError('bad-option', `${name}: ${found.message}`);
    if (found.warning !== null && !warnings.includes(found.warning)) warnings.push(found.warning);
    return found.model;
  };
  const answerName = flags.answerModel ?? flags.judgeModel;
  const judgeName = flags.judgeModel ?? flags.answerModel;
  const compressor = flags.compressorModel === undefined ? null : find(flags.compressorModel);
  const exam =
    answerName === undefined || judgeName === undefined ? null : { answerer: find(answerName), judge: find(judgeName) };
  if (exam !== null)
    warnings.push(
      ...kinshipWarnings(exam.judge.id, { compressor: compressor?.id ?? null, answerer: exam.answerer.id }),
    );
  return { compressor, exam, warnings };
}

function inputFor(prepared: Prepared, planned: Planned, run: number, { flags, arms }: EvalJob): RunInput {
  const { label, userArms, models, rubric, precis } = prepared;
  const { focusTopic, template } = flags;
  return {
    ...planned,
    label,
    run,
    arms,
    userArms,
    candidate: {
      compressor: models.compressor,
      ...(focusTopic === undefined ? {} : { focus: focusTopic }),
      ...(template === undefined ? {} : { template }),
    },
    exam: models.exam,
    rubricDigest: rubric,
    precis,
  };
}

/** Tokens of the rules, the question and the facts that a judge reads. */
const JUDGE_TOKENS = 1_100;
const EXAM_TOKENS = 250;

/** Questions that will be asked at most, over all runs. */
function answersOf({ fixtures, runs, userArms }: Prepared, { arms }: EvalJob): number {
  const once = arms.filter((arm) => arm === 'full' || arm === 'none').length;
  const each = arms.length - once + userArms.length;
  return runs * fixtures.reduce((sum, { bank, passes }) => sum + bank.probes.length * (once + each * passes), 0);
}

function estimateFor({ fixtures, runs, models, userArms }: Prepared, { arms }: EvalJob): Estimate {
  const parts: EstimatedCalls[] = [];
  for (const { bank, passes, target, tokens } of fixtures) {
    if (models.compressor !== null && arms.some((arm) => arm.startsWith('candidate') || arm === 'truncation'))
      parts.push({
        role: 'compress',
        calls: runs * passes,
        inputTokens: runs * (tokens + passes * target),
        prices: models.compressor.prices,
      });
    if (models.exam === null) continue;
    const sizes = [...arms, ...userArms.map(({ name }) => name)].map((arm) => {
      if (arm === 'full') return tokens;
      if (arm === 'none') return 500;
      const more = arm === 'candidate+recall' ? RECALL_TOKENS : arm === 'condense-only' ? target : 0;
      return (target + more) * passes;
    });
    const asked = answersPer(bank.probes.length, passes, arms, userArms.length);
    const input = sizes.reduce((sum, size) => sum + size, 0) * bank.probes.length + asked * EXAM_TOKENS;
    parts.push({ role: 'answer', calls: runs * asked, inputTokens: runs * input, prices: models.exam.answerer.prices });
    parts.push({
      role: 'judge',
      calls: runs * asked,
      inputTokens: runs * asked * JUDGE_TOKENS,
      prices: models.exam.judge.prices,
    });
  }
  return estimateOf(parts);
}

function answersPer(probes: number, passes: number, arms: readonly string[], users: number): number {
  const once = arms.filter((arm) => arm === 'full' || arm === 'none').length;
  return probes * (once + (arms.length - once + users) * passes);
}

function announce(
  { world, flags }: EvalJob,
  { models, fixtures, runs, label }: Prepared,
  { calls, inputTokens, outputTokens, low, high }: Estimate,
): void {
  if (models.exam !== null)
    world.err(
      `judge: ${models.exam.judge.id}, answers: ${models.exam.answerer.id}, compressor: ${models.compressor?.id ?? 'code alone'}\n`,
    );
  for (const warning of models.warnings) world.err(`note: ${warning}\n`);
  if (calls === 0) return;
  const price =
    low === null || high === null
      ? 'at a price that is not known'
      : `for about $${low.toFixed(2)} to $${high.toFixed(2)}`;
  const cap = flags.maxCost === undefined ? '' : `, at most $${flags.maxCost}`;
  world.err(
    `${label}: ${counted(fixtures.length, 'fixture')}, ${counted(runs, 'run')}: up to ${whole(calls)} calls, ${whole(inputTokens)} tokens in and ${whole(outputTokens)} out, ${price}${cap}\n`,
  );
}

export function armsFrom(text: string | undefined): readonly string[] {
  if (text === undefined) return ARMS;
  const arms = text.split(',').map((arm) => arm.trim());
  const unknown = arms.find((arm) => !(ARMS as readonly string[]).includes(arm));
  if (unknown === undefined) return ARMS.filter((arm) => arms.includes(arm));
  throw new PrecisError('bad-option', `expected \`--arms\` to be some of ${ARMS.join(', ')}, got \`${unknown}\``);
}

function timeLabel(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return text;
}

/** The first Ctrl-C stops asking and leaves whole files; a second ends the process at once. */
function onInterrupt(stop: () => void): () => void {
  let isStopped = false;
  const end = (): void => {
    if (isStopped) process.exit(130);
    isStopped = true;
    stop();
  };
  process.on('SIGINT', end);
  return () => process.off('SIGINT', end);
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      done();
    }
  });
}
