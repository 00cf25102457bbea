/** Whole sessions of any shape: never an error, always the same the second time, nothing left, JSON that is sound. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anthropic, convert, formats, openaiChat } from '../../src/formats/index.ts';
import { scrubSessions } from '../../src/scrub/scrub.ts';
import { SEED } from '../properties/support.ts';

const HANDLE = `qar${'venolx'}`;
const piece = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    `/home/${HANDLE}/a `,
    ` ${HANDLE} `,
    ` ${HANDLE.toUpperCase()} `,
    '<think>x</think>',
    '<think>',
    '\n',
    `a.b${'@'}c.io `,
    `password=Zq7k${'W2xLp9mN'} `,
    '{"a": "',
    '"}',
    '\\n',
    'Author: Ann Oni <',
    '> ',
    '<@12345678>',
    '"',
    '\\',
  ),
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
const args = fc.oneof(
  text,
  text.map((value) => JSON.stringify({ path: value, [value]: [value] })),
);

interface Wire {
  readonly role: string;
  readonly [field: string]: unknown;
}
type Step = fc.Arbitrary<readonly Wire[]>;

const chatStep: Step = fc.oneof<Step[]>(
  text.map((content) => [{ role: 'user', content }]),
  text.map((content) => [{ role: 'assistant', content, reasoning_content: content }]),
  fc.tuple(args, text, fc.boolean()).map(([given, content, isAnswered]) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: given } }],
    },
    ...(isAnswered ? [{ role: 'tool', tool_call_id: 'c', content }] : []),
  ]),
  text.map((content) => [{ role: 'tool', tool_call_id: 'lost', content }]),
);
const anthropicStep: Step = fc.oneof<Step[]>(
  text.map((content) => [{ role: 'user', content: [{ type: 'text', text: content }] }]),
  text.map((content) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: content, signature: 's' },
        { type: 'text', text: content },
      ],
    },
  ]),
  text.map((content) => [{ role: 'assistant', content: [{ type: 'thinking', thinking: content, signature: 's' }] }]),
  fc.tuple(text, text).map(([given, content]) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c', name: 'f', input: { token: given, list: [{ [given]: given }] } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content }] },
  ]),
);

test.each([
  ['OpenAI chat', openaiChat, chatStep],
  ['Anthropic', anthropic, anthropicStep],
] as const)('%s', (_name, format, step) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const messages = [{ role: 'user', content: `start in /home/${HANDLE}/x` }, ...steps.flat()].map(
        (message, index) =>
          JSON.parse(
            JSON.stringify(message).replaceAll('"c"', `"c${index - (['tool'].includes(message.role) ? 1 : 0)}"`),
          ),
      );
      const run = (wire: unknown): string => {
        const { conversation } = format.decode(wire);
        const [session] = scrubSessions([{ name: 's', source: 's', format, conversation }]).sessions;
        expect(session?.left).toEqual([]);
        return session?.text ?? '';
      };
      const once = run({ model: 'm', messages });
      expect(once.toLowerCase()).not.toContain(HANDLE);
      expect(run(JSON.parse(once))).toBe(once);
    }),
    { numRuns: 300, seed: SEED },
  );
});

test('a value of several lines is one word in the file', () => {
  const token = '#))##*+!\n,0';
  const { conversation } = anthropic.decode([
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: { token } }] },
  ]);
  const [session] = scrubSessions([{ name: 's', source: 's', format: anthropic, conversation }]).sessions;
  expect(session?.left).toEqual([]);
  expect(session?.text).toContain('"token": "[redacted: token]"');
});

test.each(formats.map(({ id }) => id))('a session in %s', (id) => {
  const format = formats.find((each) => each.id === id) ?? openaiChat;
  const secret = `ghp_${'Zq7kW2xLp9mNbV4cT8'}${'sRdF6gH1jK3yU5wE0a'}`;
  const chat = openaiChat.decode([
    { role: 'system', content: `Memory of ${HANDLE}.` },
    { role: 'user', content: `start in /home/${HANDLE}/x` },
    {
      role: 'assistant',
      content: `For ${HANDLE}.`,
      reasoning_content: `${HANDLE} again`,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: `{"token":"${secret}"}` } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: `token ${secret} of ${HANDLE}` },
    { role: 'assistant', content: 'Done.' },
  ]).conversation;
  const { conversation } = convert(chat, format);
  const { sessions } = scrubSessions([{ name: 's', source: 's', format, conversation }]);
  const [session] = sessions;
  expect(session?.left).toEqual([]);
  expect(session?.text.toLowerCase()).not.toContain(HANDLE);
  expect(session?.text).not.toContain(secret);
  const value: { readonly messages: readonly unknown[] } = JSON.parse(session?.text ?? '');
  expect(value.messages.length).toBeGreaterThanOrEqual(4);
});
