/** The living context: what a request costs on a short and on a long history, and what a very long session does to it. */
import { openContext } from '../src/context/open.ts';
import { o200k } from '../src/models/o200k.ts';
import { turn } from '../test/agent-wire.ts';

export interface PrepareRow {
  readonly tokens: number;
  readonly appendMs: number;
  /** After an append, below the threshold. */
  readonly prepareMs: number;
  /** When nothing was appended since. */
  readonly againMs: number;
}

const SAMPLES = 41;
const TURN_TOKENS = 620;

/** Medians over the last turns of a history of about so many tokens. */
export async function prepareFigures(tokens: number): Promise<PrepareRow> {
  const context = await openContext({ id: 'bench', window: 4_000_000, counter: o200k, trim: false });
  await context.append([{ role: 'system', content: 'You look after runs.' }]);
  const turns = Math.max(SAMPLES + 5, Math.round(tokens / TURN_TOKENS));
  const times = { append: [] as number[], prepare: [] as number[], again: [] as number[] };
  const timed = async (into: number[], work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    into.push(performance.now() - started);
  };
  for (let n = 1; n <= turns; n++) {
    const wire = turn(n);
    if (n <= turns - SAMPLES) await context.append(wire);
    else {
      await timed(times.append, () => context.append(wire));
      await timed(times.prepare, () => context.prepare());
      await timed(times.again, () => context.prepare());
    }
  }
  const { tokens: size } = await context.prepare();
  await context.close();
  return {
    tokens: size,
    appendMs: median(times.append),
    prepareMs: median(times.prepare),
    againMs: median(times.again),
  };
}

export interface LongLife {
  readonly turns: number;
  readonly compactions: number;
  /** Size after a compaction by size before: mean of the first and of the last ten. */
  readonly firstRatio: number;
  readonly lastRatio: number;
  readonly firstHandoff: number;
  readonly lastHandoff: number;
  readonly rulesKept: number;
  readonly rules: number;
  readonly heapMb: readonly number[];
  readonly ms: number;
}

const RULES: readonly (readonly [number, string])[] = [
  [1, 'Never delete a log.'],
  [100, 'Do not touch the invoices table.'],
  [700, 'Always use tabs in Makefiles.'],
  [1_300, 'The limit must stay below 300 per minute.'],
];

/** A session of many turns in a small window, with rules that the user states along the way. */
export async function longLife(turns: number): Promise<LongLife> {
  const started = performance.now();
  const context = await openContext({ id: 'bench', window: 24_000, counter: o200k });
  await context.append([{ role: 'system', content: 'You look after runs.' }]);
  const heapMb: number[] = [];
  for (let n = 1; n <= turns; n++) {
    const [user, ...rest] = turn(n, 20);
    const rule = RULES.find(([at]) => at === n)?.[1] ?? '';
    await context.append([{ ...user, content: `${user?.['content']} ${rule}`.trim() }, ...rest]);
    await context.prepare();
    if (n % Math.ceil(turns / 8) === 0) {
      globalThis.gc?.();
      heapMb.push(Math.round(process.memoryUsage().heapUsed / 1e6));
    }
  }
  const view = JSON.stringify((await context.prepare()).request);
  const { ratios, handoffTokens, compactions } = context.metrics();
  const stated = RULES.filter(([at]) => at <= turns);
  return {
    turns,
    compactions,
    firstRatio: mean(ratios.slice(0, 10)),
    lastRatio: mean(ratios.slice(-10)),
    firstHandoff: mean(handoffTokens.slice(0, 10)),
    lastHandoff: mean(handoffTokens.slice(-10)),
    rulesKept: stated.filter(([, rule]) => view.includes(rule)).length,
    rules: stated.length,
    heapMb,
    ms: performance.now() - started,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
