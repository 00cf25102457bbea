import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { build } from '../../src/testing/index.ts';
import { cpuMsOf } from '../work/cpu-time.ts';
import { stepsOf } from '../work/steps.ts';
import { tokensOf } from './support.ts';

/** A session of plain work, every step with words and numbers of its own. */
function session(steps: number): Conversation {
  const words =
    'limiter window burst header retry cache parser deploy order refund booking latency memory index lock'.split(' ');
  const word = (at: number): string => `${words[at % words.length]}${Math.floor(at / words.length)}`;
  const messages: object[] = [
    { role: 'system', content: 'You are careful.' },
    { role: 'user', content: 'Fix the limiter. Never log client ips.' },
  ];
  for (let step = 0; step < steps; step++) {
    const lines = Array.from(
      { length: 25 },
      (_, line) => `src/${word(step * 3 + line)}.ts:${line}: ${word(step + line * 7)} = ${word(step * 5 + line)};`,
    );
    const [first, , ...rest] = build()
      .user(`Now ${word(step)}: it must not break ${word(step * 11)}.`)
      .assistant(`Looking at ${word(step)} because ${word(step + 1)} failed.`)
      .call('bash', { command: `grep -rn ${word(step)} src` }, { id: `call_${step}` })
      .result(lines.join('\n'))
      .done();
    if (step % 8 === 0 && first !== undefined) messages.push(first);
    messages.push({
      role: 'assistant',
      content: `Looking at ${word(step)} because ${word(step + 1)} failed.`,
      tool_calls: [
        {
          id: `call_${step}`,
          type: 'function',
          function: { name: 'bash', arguments: `{"command":"grep -rn ${word(step)} src"}` },
        },
      ],
    });
    messages.push(...rest);
  }
  return openaiChat.decode(messages).conversation;
}

/** Large enough for every session here. */
const WINDOW = 2_000_000;

describe('the work of a compaction', () => {
  it('grows about linearly with the conversation', { timeout: 60_000 }, async () => {
    const [small, large] = [session(150), session(600)];
    const work = (conversation: Conversation): Promise<number> =>
      stepsOf(() =>
        compact(conversation, openaiChat, { window: WINDOW, target: Math.floor(tokensOf(conversation) / 5) }),
      );
    const [less, more] = [await work(small), await work(large)];
    const growth = tokensOf(large) / tokensOf(small);
    expect(growth).toBeGreaterThan(3.5);
    expect(more / less).toBeGreaterThan(growth / 2);
    expect(more / less).toBeLessThan(growth * 1.25);
  });

  it('is next to nothing when the conversation fits: it is measured, and nothing is planned', {
    timeout: 60_000,
  }, async () => {
    const conversation = session(400);
    const size = tokensOf(conversation);
    const work = (target: number): Promise<number> =>
      stepsOf(() => compact(conversation, openaiChat, { window: WINDOW, target }));
    const [compacting, fitting] = [await work(Math.floor(size / 5)), await work(size)];
    expect(fitting).toBeGreaterThan(0);
    expect(fitting).toBeLessThan(compacting / 3);
  });

  it('is not quadratic in one very long line', { timeout: 60_000 }, async () => {
    const line = (chars: number): Conversation =>
      build()
        .user('Fix it.')
        .call('bash', { command: 'cat dump' })
        .result('ab1,'.repeat(chars / 4))
        .assistant('Hm.')
        .user('Go on.')
        .decode(openaiChat);
    const work = (conversation: Conversation) => (): Promise<unknown> =>
      compact(conversation, openaiChat, { target: 2_000 });
    const [small, large] = [work(line(100_000)), work(line(800_000))];
    const [less, more] = [await stepsOf(small), await stepsOf(large)];
    expect(more / less).toBeLessThan(10);
    // Eight times the text; an expression that goes back would take 64 times as long.
    expect(await cpuMsOf(large)).toBeLessThan(32 * Math.max(await cpuMsOf(small), 10));
  });
});
