import { compact } from '../src/core/compact.ts';
import { createMeasure } from '../src/core/tokens/measure.ts';
import { openaiChat } from '../src/formats/index.ts';
import { o200k } from '../src/models/o200k.ts';
import { longSession } from './sessions.ts';

export interface SpeedRow {
  readonly tokens: number;
  readonly countMs: number;
  readonly compactMs: number;
  /** Compaction, its own counting included, by the bare cost of counting every token once. */
  readonly ratio: number;
  readonly tokensAfter: number;
}

const REPEATS = 5;

/** One pass at a tenth of the size, beside the bare cost of counting, both the median of several runs in this process. */
export async function speedOf(tokens: number): Promise<SpeedRow> {
  const session = longSession(tokens, createMeasure(o200k));
  const total = createMeasure(o200k).conversation(session);
  const counts: number[] = [];
  const passes: number[] = [];
  let tokensAfter = 0;
  for (let run = 0; run < REPEATS; run++) {
    const fresh = createMeasure(o200k);
    counts.push(timed(() => fresh.conversation(session)));
    const started = performance.now();
    const target = Math.round(total / 10);
    const { receipt } = await compact(session, openaiChat, { target, window: target * 20, counter: o200k });
    passes.push(performance.now() - started);
    tokensAfter = receipt.tokens.after;
  }
  const countMs = median(counts);
  const compactMs = median(passes);
  return { tokens: total, countMs, compactMs, ratio: compactMs / countMs, tokensAfter };
}

export interface LineRow {
  readonly what: string;
  readonly ms: number;
}

/** Lines that make a careless tokenizer or expression quadratic, a megabyte each, as the output of one call. */
export async function longLines(): Promise<readonly LineRow[]> {
  const lines: readonly (readonly [string, string])[] = [
    ['one letter', 'a'.repeat(1_000_000)],
    ['Chinese', '上下文压缩'.repeat(200_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['= and arrows', '=→'.repeat(500_000)],
    ['base64', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(28_572)],
    ['digits', '1234567890'.repeat(100_000)],
    ['quotes', '"\''.repeat(500_000)],
    ['words without end', 'word '.repeat(200_000)],
  ];
  const rows: LineRow[] = [];
  for (const [what, line] of lines) {
    const { conversation } = openaiChat.decode({ messages: withOutput(line) });
    const started = performance.now();
    await compact(conversation, openaiChat, { target: 2_000, counter: o200k });
    rows.push({ what, ms: performance.now() - started });
  }
  return rows;
}

function withOutput(content: string): readonly unknown[] {
  const call = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"cat data"}' } };
  return [
    { role: 'user', content: 'Look at the data.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content },
    { role: 'assistant', content: 'It is one long line.' },
    { role: 'user', content: 'Thanks. What next?' },
  ];
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}
