import { join } from 'node:path';
import { PrecisError } from '../../../core/errors.ts';
import { ARMS } from '../../../eval/run/arms.ts';
import { type AskPorts, createAsker } from '../../../eval/run/ask.ts';
import { readEvents } from '../../../eval/run/cells.ts';
import { createBudget, type Estimate } from '../../../eval/run/cost.ts';
import { createLimiter } from '../../../eval/run/limiter.ts';
import { type RunInput, runFixture } from '../../../eval/run/run.ts';
import type { RunResult } from '../../../eval/types.ts';
import { counted, whole } from '../../screen/paint.ts';
import { plainMessages } from './arm.ts';
import { diskCache, runFile, sha256 } from './disk.ts';
import { answersOf, estimateFor } from './estimate.ts';
import { type EvalJob, type Planned, type Prepared, prepare, RESULTS, settingsOf } from './prepare.ts';
import { createEvalProgress } from './progress.ts';

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

const DEFAULT_CONCURRENCY = 8;

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
  const { o200k } = await import('../../../models/o200k.ts');
  const asker = createAsker({
    ...askPorts(job, label),
    budget,
    counter: o200k,
    onCall: async (call) => {
      calls++;
      await folder.append(call);
    },
    signal: stop.signal,
  });
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
        const result = await runFixture(inputFor(prepared, job, { planned, run }), {
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

function askPorts(
  { world, flags, defer }: EvalJob,
  label: string,
): Omit<AskPorts, 'budget' | 'counter' | 'onCall' | 'signal'> {
  return {
    cache: diskCache(join(flags.results ?? RESULTS, '.cache')),
    limiter: createLimiter(flags.concurrency ?? DEFAULT_CONCURRENCY),
    digest: sha256,
    sleep: wait,
    random: Math.random,
    now: world.now,
    ...(flags.fresh === true ? { salt: label } : {}),
    ...(defer === undefined ? {} : { defer }),
  };
}

/** Resuming repeats a run that has errors in it. */
function isComplete({ cells, states }: RunResult): boolean {
  return (
    cells.every(({ judged }) => judged?.outcome !== 'error') &&
    states.every(({ invalid }) => invalid === null || !/compressor|cost cap/.test(invalid))
  );
}

function inputFor(
  prepared: Prepared,
  { flags, arms }: EvalJob,
  { planned, run }: { readonly planned: Planned; readonly run: number },
): RunInput {
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

function announce(
  { world, flags }: EvalJob,
  { models, fixtures, runs, label }: Prepared,
  { calls, inputTokens, outputTokens, low, high }: Estimate,
): void {
  if (models.exam !== null)
    world.err(
      `judge: ${models.exam.judge.id}, answers: ${models.exam.answerer.id}, compressor: ${models.compressor?.id ?? 'none'}\n`,
    );
  for (const warning of models.warnings) world.err(`note: ${warning}\n`);
  if (calls === 0) return;
  const price =
    low === null || high === null ? 'at an unknown price' : `for about $${low.toFixed(2)} to $${high.toFixed(2)}`;
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
