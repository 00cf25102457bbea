import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { build } from '../../src/testing/index.ts';
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

/** The fastest of several runs: whatever else the machine does only makes runs slower. */
async function fastest(runs: number, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

describe('the time of a compaction', () => {
  it('grows about linearly with the conversation', { timeout: 60_000, retry: 2 }, async () => {
    const [small, large] = [session(150), session(600)];
    const time = (conversation: Conversation): Promise<number> =>
      fastest(4, () =>
        compact(conversation, openaiChat, { window: WINDOW, target: Math.floor(tokensOf(conversation) / 5) }),
      );
    await time(small);
    const ratio = (await time(large)) / (await time(small));
    expect(tokensOf(large) / tokensOf(small)).toBeGreaterThan(3.5);
    expect(ratio).toBeLessThan(6.5);
  });

  it('is next to nothing when the conversation fits: it is measured, and nothing is planned', {
    timeout: 60_000,
    retry: 2,
  }, async () => {
    const conversation = session(400);
    const size = tokensOf(conversation);
    const compacting = (): Promise<unknown> =>
      compact(conversation, openaiChat, { window: WINDOW, target: Math.floor(size / 5) });
    const fitting = (): Promise<unknown> => compact(conversation, openaiChat, { window: WINDOW, target: size });
    await compacting();
    await fitting();
    expect(await fastest(5, fitting)).toBeLessThan((await fastest(3, compacting)) / 3);
  });

  it('is not quadratic in one very long line', { timeout: 60_000, retry: 2 }, async () => {
    const line = (chars: number): Conversation =>
      build()
        .user('Fix it.')
        .call('bash', { command: 'cat dump' })
        .result('ab1,'.repeat(chars / 4))
        .assistant('Hm.')
        .user('Go on.')
        .decode(openaiChat);
    const time = (conversation: Conversation): Promise<number> =>
      fastest(3, () => compact(conversation, openaiChat, { target: 2_000 }));
    const [small, large] = [line(100_000), line(400_000)];
    await time(small);
    expect((await time(large)) / (await time(small))).toBeLessThan(7);
  });
});
