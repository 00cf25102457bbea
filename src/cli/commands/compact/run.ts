import type { Compaction } from '../../../core/compact.ts';
import { whole } from '../../screen/paint.ts';
import { type CompactInput, type CompactJob, prepareJob } from './job.ts';
import { compactInPasses, type Keeper } from './passes.ts';
import { reportRefusal, reportResult } from './report.ts';
import { openSessionStore } from './session-store.ts';

/** Compacts one session and gives the exit code. */
export async function runCompact(input: CompactInput): Promise<number> {
  const { world } = input;
  const job = await prepareJob(input);
  const started = world.now();
  const store = job.flags.store === undefined ? null : await openSessionStore(job, job.flags.store, input.env);
  try {
    const compaction = await compactSession(job, store?.keeper ?? null);
    const ms = Math.round(world.now() - started);
    const report = compaction.outcome === 'refused' ? reportRefusal : reportResult;
    return await report(job, compaction, ms);
  } finally {
    await store?.close();
    job.progress.clear();
  }
}

function compactSession(job: CompactJob, keeper: Keeper | null): Promise<Compaction> {
  const { world, flags, document, counter, limits, name, progress, summarizer } = job;
  return compactInPasses({
    conversation: document.conversation,
    format: document.format,
    passes: flags.passes,
    ...(keeper === null ? {} : { keeper }),
    options: {
      ...limits,
      counter,
      now: world.now,
      ...(flags.stripReasoning === true ? { openReasoning: 'strip' as const } : {}),
      ...(summarizer === null ? {} : { summarizer }),
      ...(flags.focus === undefined ? {} : { focus: flags.focus }),
      ...(flags.template === undefined ? {} : { template: flags.template }),
      onText: (characters) =>
        progress.say(`${summarizer?.models[0]?.id ?? 'model'} is writing … ${whole(characters)} characters`),
    },
    onStart: (pass, passes) => progress.say(`Compacting ${name} …${passes > 1 ? ` pass ${pass} of ${passes}` : ''}`),
    onPass: (pass, passes, { receipt: { outcome, tokens } }) => {
      if (passes > 1)
        progress.log(`pass ${pass} of ${passes}: ${outcome}, ${whole(tokens.before)} → ${whole(tokens.after)} tokens`);
    },
  });
}
