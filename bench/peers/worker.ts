/** A process of its own for one arm. It is told what to load and then given jobs, one at a time. */
import { watchMemory } from '../speed/memory.ts';
import { armById } from './all-arms.ts';
import type { Answer, ChainDone, Done, Job, Request } from './job.ts';
import type { LoadedArm, SummariserPlace, WireMessage } from './types.ts';

interface Loaded {
  readonly arm: LoadedArm;
  readonly place: SummariserPlace;
}

let loaded: Loaded | null = null;

// A peer that forgets to catch must not take the bench with it: what it did is seen in its view.
process.on('unhandledRejection', () => {});
process.on('disconnect', () => process.exit(0));
process.on('message', (request: Request) => {
  handle(request).then(answer, (error: unknown) => answer({ type: 'failed', message: messageOf(error) }));
});

function answer(value: Answer): void {
  process.send?.(value);
}

async function handle(request: Request): Promise<Answer> {
  if (request.type === 'load') {
    const arm = await armById(request.arm).load(request.folder);
    globalThis.gc?.();
    const residentBytes = process.memoryUsage.rss();
    loaded = { arm, place: request.place };
    return { type: 'loaded', versions: arm.versions, residentBytes };
  }
  if (loaded === null) throw new Error('the arm was not loaded');
  return { type: 'done', done: await work(request.job, loaded) };
}

async function work(job: Job, { arm, place }: Loaded): Promise<Done> {
  if (job.type === 'chain') return { type: 'chain', chain: await chain(job, arm, place) };
  const session = await arm.open({ window: job.window, keep: job.keep, model: place });
  await session.append(job.before);
  await session.prepare();
  const ms: number[] = [];
  for (const turn of job.turns) {
    const started = performance.now();
    await session.append(turn);
    await session.prepare();
    ms.push(performance.now() - started);
  }
  return { type: 'turns', ms };
}

async function chain(
  {
    parts,
    keep,
    window,
    wantsBefore = false,
    wantsMemory = false,
    questions = [],
  }: Extract<Job, { readonly type: 'chain' }>,
  arm: LoadedArm,
  place: SummariserPlace,
): Promise<ChainDone> {
  const session = await arm.open({ window, keep, model: place });
  const outcomes: ChainDone['outcomes'][number][] = [];
  let error: string | null = null;
  let ms = 0;
  let wholeMs = 0;
  let peakBytes: number | null = null;
  let before: readonly WireMessage[] = [];
  for (const part of parts) {
    const given = performance.now();
    await session.append(part);
    await session.prepare();
    wholeMs += performance.now() - given;
    // A copy: nothing says that a peer leaves the messages alone that it once gave out.
    if (wantsBefore) before = structuredClone(session.view());
    const mostHeld = wantsMemory ? await watchMemory() : null;
    const started = performance.now();
    try {
      outcomes.push(await session.compact());
    } catch (thrown) {
      outcomes.push('threw');
      error = messageOf(thrown);
    }
    ms += performance.now() - started;
    if (mostHeld !== null) peakBytes = Math.max(peakBytes ?? 0, mostHeld());
  }
  wholeMs += ms;
  const { search } = session;
  const found = search === undefined ? null : await Promise.all(questions.map((question) => search(question)));
  return { view: session.view(), before, found, outcomes, error, ms, wholeMs, peakBytes };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
