import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { textOf } from '../../src/core/conversation/message.ts';
import { isHandoff } from '../../src/core/record/handoff/handoff-message.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { build } from '../../src/testing/build/build.ts';
import { check, readable } from './support.ts';

/** A session with a task, some turns about other things, a newest request and work since. */
interface Session {
  readonly task: string;
  readonly turns: number;
  readonly rules: number;
  readonly request: string;
  readonly steps: number;
  readonly failing: boolean;
  /** What the harness says in the user's name, after this many steps. */
  readonly reminder: { readonly after: number; readonly text: string } | null;
  /** The answer that ends the turn; null while the turn goes on. */
  readonly answer: string | null;
}

const session: fc.Arbitrary<Session> = fc.record({
  task: fc.integer({ min: 1, max: 40 }).map((count) => 'Paint the lighthouse white before the storm. '.repeat(count)),
  turns: fc.nat(8),
  rules: fc.nat(12),
  request: fc.constantFrom(
    '/review',
    'go on',
    'ok, do it',
    'Now oil the hinges of the granary door.',
    '继续修理谷仓的门',
  ),
  steps: fc.integer({ min: 1, max: 60 }),
  failing: fc.boolean(),
  reminder: fc.option(
    fc.record({
      after: fc.nat(60),
      text: fc.constantFrom(
        '<system-reminder>The list of chores has not changed.</system-reminder>',
        '<system-reminder>Never mention the tide table.</system-reminder>',
      ),
    }),
  ),
  answer: fc.option(
    fc.constantFrom(
      'Done. Every hinge turns without a sound, and the oil can is back in the shed.',
      'Finished: all twenty planks are nailed down.\n\n- plank 3 was rotten\n- plank 9 was missing',
      `The roof holds now. ${'It took a while, since the ladder was short. '.repeat(30)}`,
    ),
  ),
});

function written({ task, turns, rules, request, steps, failing, reminder, answer }: Session): Conversation {
  let made = build('openai-chat').system('You keep a farm by the sea.').user(task);
  for (let at = 0; at < rules; at++)
    made = made.assistant('Noted.').user(`Never lend tool ${at} to the miller, and always lock shed ${at}.`);
  for (let at = 0; at < turns; at++)
    made = made
      .call('Bash', { command: `count --sheep field-${at}` })
      .result(`field ${at} holds ${at * 7} sheep and gate ${at} is shut\n`.repeat(20))
      .assistant(`Field ${at} is counted.`)
      .user(`Look at field ${at + 1} too.`);
  made = made.assistant('All counted.').user(request);
  for (let at = 0; at < steps; at++) {
    made = made
      .call('Edit', { file_path: `barn/board-${at}.txt`, old_string: `loose ${at}`, new_string: `nailed ${at}` })
      .result(failing && at === steps - 1 ? 'Error: the hammer slipped' : `board ${at} is nailed\n`.repeat(12));
    if (reminder !== null && reminder.after === at) made = made.user(reminder.text);
  }
  return (answer === null ? made : made.assistant(answer)).decode(openaiChat);
}

/** Tokens of a small view; below this a system message, a request and a handoff hardly fit. */
const target = fc.oneof(fc.integer({ min: 300, max: 1_000 }), fc.integer({ min: 1_000, max: 6_000 }));

describe('a small view', () => {
  it('holds the task, the newest request and the newest work, whatever its size', () =>
    check(
      fc.asyncProperty(session, target, async (subject, tokens) => {
        const { conversation, outcome } = await compact(written(subject), openaiChat, { target: tokens });
        expect(outcome).not.toBe('refused');
        const asked = conversation.messages.filter((message) => message.role === 'user' && !isHandoff(message));
        expect(asked.map(textOf)).toContain(subject.request);
        const text = readable(conversation.messages);
        expect(text).toContain('lighthouse');
        const newest = subject.answer === null ? `barn/board-${subject.steps - 1}.txt` : subject.answer.slice(0, 15);
        expect(text).toContain(newest);
      }),
      250,
    ));
});
