import { compact } from '../../src/core/compact.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { o200k } from '../../src/models/o200k.ts';
import { cpuClock } from './clock.ts';
import { sample } from './sample.ts';
import type { LineRow } from './types.ts';
import { warmYardstick } from './yardstick.ts';

/** Lines that make a careless tokenizer or expression quadratic, a megabyte each. */
const LINES: readonly (readonly [string, string])[] = [
  ['one letter', 'a'.repeat(1_000_000)],
  ['Chinese', '上下文压缩'.repeat(200_000)],
  ['spaces', ' '.repeat(1_000_000)],
  ['= and arrows', '=→'.repeat(500_000)],
  ['base64', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(28_572)],
  ['digits', '1234567890'.repeat(100_000)],
  ['quotes', '"\''.repeat(500_000)],
  ['words without end', 'word '.repeat(200_000)],
];

/** Compactions of conversations in which one call printed such a line. */
export async function longLines(budgetMs: number): Promise<readonly LineRow[]> {
  const yardstick = warmYardstick();
  const rows: LineRow[] = [];
  for (const [what, line] of LINES) {
    const { conversation } = openaiChat.decode({ messages: withOutput(line) });
    const run = () => compact(conversation, openaiChat, { target: 2_000, counter: o200k });
    const options = { run, yardstick, clock: cpuClock, budgetMs, leastRounds: 2, mostRounds: 10 };
    const { ms, yardsticks, sameByTheSame } = await sample(options);
    rows.push({ what, ms, yardsticks, sameByTheSame });
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
