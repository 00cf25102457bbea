import { openContext } from '../../../src/context/open.ts';
import { o200k } from '../../../src/models/o200k.ts';
import { turn, turns } from '../../../test/agent-wire.ts';
import type { Ready, Workload } from '../workload.ts';

type Living = Awaited<ReturnType<typeof openContext>>;

const TURN_TOKENS = 620;
/** Lines of output of the turns that are timed: short, so that a short history stays one. */
const LINES = 3;
const WARM_UP_TURNS = 300;

const appending: Workload = {
  name: 'context-append',
  what: 'append a turn to the living context',
  prepare: async ({ size }) => {
    const { context, tokens, next } = await opened(size);
    let wire = next();
    const before = async () => {
      // As an agent does: a request after every turn, so that no append finds work of the one before.
      await context.prepare();
      wire = next();
    };
    return growing(tokens, { before, run: () => context.append(wire) });
  },
};

const preparing: Workload = {
  name: 'context-prepare',
  what: 'prepare the next request, below the threshold',
  prepare: async ({ size }) => {
    const { context, tokens, next } = await opened(size);
    return growing(tokens, { before: () => context.append(next()), run: () => context.prepare() });
  },
};

export const livingWorkloads: readonly Workload[] = [appending, preparing];

function growing(tokens: number, work: Pick<Ready, 'run' | 'before'>): Ready {
  return { tokens, grows: true, ...work };
}

interface Opened {
  readonly context: Living;
  readonly tokens: number;
  /** A turn that was not there yet. */
  next(): ReturnType<typeof turn>;
}

async function opened(size: number): Promise<Opened> {
  // Compiled code is what a long session runs, so a short one is given the same.
  const other = await create('warm-up');
  for (let n = 1; n <= WARM_UP_TURNS; n++) {
    await other.append(turn(n, LINES));
    await other.prepare();
  }
  await other.close();
  const context = await create('bench');
  let n = Math.max(1, Math.round(size / TURN_TOKENS));
  await context.append(turns(1, n));
  const { tokens } = await context.prepare();
  return { context, tokens, next: () => turn(++n, LINES) };
}

async function create(id: string): Promise<Living> {
  const context = await openContext({ id, window: 10_000_000, counter: o200k, trim: false });
  await context.append([{ role: 'system', content: 'You look after runs.' }]);
  return context;
}
