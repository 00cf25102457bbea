/** What a very long session does to the living context. What a request costs is measured in `speed/workloads/living.ts`. */
import { openContext } from '../src/context/open.ts';
import { o200k } from '../src/models/o200k.ts';
import { turn } from '../test/agent-wire.ts';

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

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
