import { contentHash } from '../../core/conversation/hash.ts';
import { PrecisError } from '../../core/errors.ts';
import { heuristicCounter } from '../../core/tokens/counter.ts';
import { rubricDigest } from '../exam/rubric.ts';
import type { RunResult } from '../types.ts';
import { ARMS } from './arms/arms.ts';
import type { CandidateSettings } from './arms/candidate.ts';
import type { PlainMessages } from './arms/user-arm.ts';
import { type AnswerCache, createAsker, type KeptAnswer } from './calls/asker.ts';
import { createBudget } from './calls/budget.ts';
import { createLimiter } from './calls/limiter.ts';
import { isCallProblem } from './calls/tallied-model.ts';
import type { EvalStorage, EvaluateOptions, EvaluatePorts, Evaluation } from './evaluate-options.ts';
import { readEvents } from './events.ts';
import { type PlannedFixture, planFixture } from './plan.ts';
import { runFixture } from './run-fixture.ts';
import type { RunInput, RunPorts } from './run-input.ts';

const USUAL_RUNS = 3;
const USUAL_CONCURRENCY = 8;

/**
 * Compacts every fixture in every arm and says which facts survived: by code alone, or with models that answer the probes and grade the
 * answers. `aggregate` and `compare` make figures of the runs.
 *
 * @example
 * ```ts
 * import { detectFormat } from 'precis';
 * import { aggregate, decodeFixture, evaluate, loadFixtures } from 'precis/eval';
 *
 * const loaded = await loadFixtures('fixtures');
 * const { runs } = await evaluate({ fixtures: loaded.map((each) => decodeFixture(each, detectFormat)) });
 * for (const { arm, visible } of aggregate(runs).totals) console.log(arm, visible?.mean);
 * ```
 */
export async function evaluate(options: EvaluateOptions, ports: EvaluatePorts = {}): Promise<Evaluation> {
  const { storage, defer, signal, onProgress } = ports;
  const base = basePorts(ports);
  const { fixtures, runs: count, ...settings } = settingsOf(options, base);
  const earlier = readEvents((await storage?.events()) ?? '');
  const budget = createBudget(options.maxUsd ?? null, earlier.usd);
  let calls = 0;
  const asker = createAsker({
    ...base,
    cache: ports.cache ?? memoryCache(),
    budget,
    limiter: createLimiter(options.concurrency ?? USUAL_CONCURRENCY),
    sleep,
    random: Math.random,
    onCall: async (call) => {
      calls++;
      await storage?.append(call);
    },
    ...(options.isFresh === true ? { salt: settings.label } : {}),
    ...(defer === undefined ? {} : { defer }),
  });
  const keeping: Keeping = {
    storage,
    isDeferred: defer !== undefined,
    onAnswers: (answers) => onProgress?.({ answers, usd: budget.spent }),
  };
  const runs: RunResult[] = [];
  try {
    for (let run = 1; run <= count; run++)
      for (const planned of fixtures)
        runs.push(await savedOrNewRun({ ...settings, planned, run }, { ...base, asker, earlier }, keeping));
  } catch (error) {
    if (!(PrecisError.is(error) && error.code === 'aborted')) throw error;
  }
  const isInterrupted = signal?.aborted === true;
  return { runs, isCapped: budget.isExhausted, isInterrupted, calls, usd: budget.spent };
}

type BasePorts = Omit<RunPorts, 'asker' | 'earlier'>;

function basePorts({ counter, digest, plain, now, signal }: EvaluatePorts): BasePorts {
  return {
    counter: counter ?? heuristicCounter,
    digest: digest ?? longHash,
    plain: plain ?? NO_PLAIN,
    now: now ?? Date.now,
    date: () => new Date().toISOString(),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Hashes a text with more digits than one content hash, as cache keys need. */
function longHash(text: string): string {
  return contentHash(text) + contentHash(`\0${text}`);
}

function missingPlain(): never {
  throw new PrecisError('bad-option', 'expected the port `plain`, which writes messages for `userArms`, got none');
}

const NO_PLAIN: PlainMessages = { to: missingPlain, from: missingPlain };

interface Settings extends Omit<RunInput, 'planned' | 'run'> {
  readonly fixtures: readonly PlannedFixture[];
  readonly runs: number;
}

function settingsOf(options: EvaluateOptions, { counter, digest, plain }: BasePorts): Settings {
  const { label = 'evaluation', arms = ARMS, userArms = [], candidate = CODE_ALONE, exam = null } = options;
  const names: readonly string[] = [...ARMS, ...userArms.map(({ name }) => name)];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new PrecisError('bad-option', `expected every arm to have a name of its own, got \`${twice}\` twice`);
  if (userArms.length > 0 && plain === NO_PLAIN) missingPlain();
  const varies = exam !== null || candidate.compressor !== null || userArms.length > 0;
  return {
    label,
    runs: options.runs ?? (varies ? USUAL_RUNS : 1),
    fixtures: options.fixtures.map((each) => ('passes' in each ? each : planFixture(each, { counter }))),
    arms,
    userArms,
    candidate,
    exam,
    rubricDigest: rubricDigest(digest),
    precis: options.precis ?? 'unknown',
  };
}

const CODE_ALONE: CandidateSettings = { compressor: null };

interface Keeping {
  readonly storage: EvalStorage | undefined;
  /** True when requests are only written down, so that there is nothing to keep. */
  readonly isDeferred: boolean;
  readonly onAnswers: (count: number) => void;
}

async function savedOrNewRun(input: RunInput, ports: RunPorts, keeping: Keeping): Promise<RunResult> {
  const { storage, isDeferred, onAnswers } = keeping;
  const { planned, run, exam } = input;
  const fixture = planned.fixture.name;
  const saved = (await storage?.run(fixture, run)) ?? null;
  if (saved !== null && isComplete(saved)) {
    onAnswers(saved.cells.length);
    return saved;
  }
  if (isDeferred) return runFixture(input, ports);
  const result = await runFixture(input, {
    ...ports,
    onState: (state) => storage?.append({ type: 'state', fixture, run, state }),
    onCell: async ({ key, cell, isNew, usd }) => {
      if (isNew && exam !== null) await storage?.append({ type: 'cell', key, cell, usd });
      onAnswers(1);
    },
  });
  await storage?.save(result);
  return result;
}

/** Says whether a saved run needs no more calls. A resumed evaluation repeats the runs that hold errors. */
function isComplete({ cells, states }: RunResult): boolean {
  return (
    cells.every(({ judged }) => judged?.outcome !== 'error') &&
    states.every(({ invalid }) => invalid === null || !isCallProblem(invalid))
  );
}

function memoryCache(): AnswerCache {
  const answers = new Map<string, KeptAnswer>();
  return {
    get: async (key) => answers.get(key) ?? null,
    put: async (key, answer) => void answers.set(key, answer),
  };
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
