import { join } from 'node:path';
import { PrecisError } from '../../../core/errors.ts';
import { ARMS, type ArmName } from '../../../eval/run/arms/arms.ts';
import type { CandidateSettings } from '../../../eval/run/arms/candidate.ts';
import { type CostEstimate, countAnswers, estimateCost } from '../../../eval/run/estimate.ts';
import { evaluate as evaluateFixtures } from '../../../eval/run/evaluate.ts';
import type { EvalStorage, Evaluation } from '../../../eval/run/evaluate-options.ts';
import { counted, whole } from '../../screen/paint.ts';
import { chatMessages } from './arm.ts';
import { diskCache, type ResultsFolder, runFile, sha256 } from './disk.ts';
import type { EvalFlags } from './flags.ts';
import { type EvalJob, type Prepared, prepare, RESULTS, settingsOf } from './prepare.ts';
import { createEvalProgress } from './progress.ts';

export interface Evaluated extends Evaluation {
  readonly label: string;
  /** Where the results are. */
  readonly path: string;
}

export async function evaluate(job: EvalJob): Promise<Evaluated> {
  const { world, flags, defer } = job;
  const prepared = await prepare(job);
  const { folder, label, models, fixtures, runs, userArms, precis } = prepared;
  const size = { fixtures, runs, arms: job.arms, userArms, ...models };
  const isLive = defer === undefined;
  if (isLive) announce(job, prepared, estimateCost(size));
  let spent = 0;
  const progress = createEvalProgress(world, countAnswers(size), () => spent);
  const stop = new AbortController();
  const release = isLive ? onInterrupt(() => stop.abort()) : () => {};
  const { o200k } = await import('../../../models/o200k.ts');
  try {
    if (isLive) await folder.write('run.json', `${JSON.stringify(settingsOf(prepared, job), null, 2)}\n`);
    const done = await evaluateFixtures(
      {
        ...size,
        label,
        candidate: candidateFrom(prepared, flags),
        precis,
        isFresh: flags.fresh === true,
        ...(flags.maxCost === undefined ? {} : { maxUsd: flags.maxCost }),
        ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
      },
      {
        counter: o200k,
        digest: sha256,
        cache: diskCache(join(flags.results ?? RESULTS, '.cache')),
        storage: storageIn(folder, flags),
        plain: chatMessages,
        onProgress: ({ answers, usd }) => {
          spent = usd;
          progress.step(answers);
        },
        signal: stop.signal,
        now: world.now,
        ...(defer === undefined ? {} : { defer }),
      },
    );
    return { ...done, label, path: folder.path };
  } finally {
    release();
    progress.clear();
  }
}

/** Returns the storage. Without `--resume`, it hides the progress of earlier processes. */
function storageIn(folder: ResultsFolder, { resume }: EvalFlags): EvalStorage {
  return {
    events: async () => (resume === true ? folder.events() : ''),
    append: (event) => folder.append(event),
    run: async (fixture, run) => (resume === true ? folder.run(fixture, run) : null),
    save: (result) => folder.write(runFile(result.fixture, result.run), `${JSON.stringify(result, null, 1)}\n`),
  };
}

function candidateFrom({ models }: Prepared, { focusTopic, template }: EvalFlags): CandidateSettings {
  return {
    compressor: models.compressor,
    ...(focusTopic === undefined ? {} : { focus: focusTopic }),
    ...(template === undefined ? {} : { template }),
  };
}

function announce(
  { world, flags }: EvalJob,
  { models, fixtures, runs, label }: Prepared,
  { calls, inputTokens, outputTokens, low, high }: CostEstimate,
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

export function armsFrom(text: string | undefined): readonly ArmName[] {
  if (text === undefined) return ARMS;
  const arms = text.split(',').map((arm) => arm.trim());
  const unknown = arms.find((arm) => !(ARMS as readonly string[]).includes(arm));
  if (unknown === undefined) return ARMS.filter((arm) => arms.includes(arm));
  throw new PrecisError('bad-option', `expected \`--arms\` to be some of ${ARMS.join(', ')}, got \`${unknown}\``);
}

/** Stops asking at the first Ctrl-C and leaves complete files; a second Ctrl-C ends the process at once. */
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
