import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../core/conversation/conversation.ts';
import type { Message } from '../../../core/conversation/message.ts';
import { readSession } from '../../../sessions/read-text.ts';
import { behave, scriptedModel } from '../../../testing/index.ts';
import { messageText } from '../../survival/view-text.ts';
import { checkBank } from '../check/check.ts';
import { draftBank } from './draft.ts';

function session(file: string): Conversation {
  const text = readFileSync(new URL(`../../../../fixtures/${file}`, import.meta.url), 'utf8');
  return readSession(text, { name: file }).conversation;
}

const FILES = ['rate-limiter/session.json', 'flight-change/session.json', 'incident/session.jsonl'];

describe('a draft', () => {
  test.each(FILES)('of %s passes every gate, with spans that hold what they say', async (file) => {
    const conversation = session(file);
    const { bank } = await draftBank(conversation, { fixture: 'x', count: 12 });
    const found = checkBank({ name: 'x' }, bank, { conversation });
    expect(found.findings).toEqual([]);
    expect(bank.probes.length).toBeGreaterThanOrEqual(8);
    const texts = conversation.messages.map(messageText);
    const facts = bank.probes.flatMap(({ expected }) => expected);
    for (const { value, spans } of facts) {
      expect(spans.length).toBeGreaterThan(0);
      for (const { message, start, end } of spans) expect(texts[message]?.slice(start, end)).toBe(value);
    }
    expect(new Set(facts.map(({ value }) => value)).size).toBe(facts.length);
    expect(bank.probes.some(({ type }) => type === 'abstention')).toBe(true);
  });

  test('takes at most two probes from a message, and no more than asked for', async () => {
    const { bank } = await draftBank(session('incident/session.jsonl'), { fixture: 'x', count: 40 });
    const counts = Map.groupBy(
      bank.probes.filter(({ type, expected }) => type !== 'artifact' && expected.length === 1),
      ({ expected }) => expected[0]?.spans[0]?.message,
    );
    expect(Math.max(...[...counts.values()].map((each) => each.length))).toBeLessThanOrEqual(2);
    const few = await draftBank(session('incident/session.jsonl'), { fixture: 'x', count: 3 });
    expect(few.bank.probes).toHaveLength(3);
    expect(few.rejected.every(({ complaint }) => complaint.text !== '')).toBe(true);
  });

  test('is the same every time', async () => {
    const conversation = session('flight-change/session.json');
    const first = await draftBank(conversation, { fixture: 'x' });
    const second = await draftBank(conversation, { fixture: 'x' });
    expect(second.bank.digest).toBe(first.bank.digest);
  });

  test('asks for the latest value of what changed, and for files by what became of them', async () => {
    const talk = (role: 'user' | 'assistant', text: string): Message => ({ role, parts: [{ type: 'text', text }] });
    const run = (callId: string, command: string): readonly Message[] => [
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', callId, name: 'bash', arguments: JSON.stringify({ command }) }],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId, content: [{ type: 'text', text: 'ok' }], isError: false }],
      },
    ];
    const idle = Array.from({ length: 30 }, () =>
      talk('assistant', 'Nothing of note happened in this step. '.repeat(9)),
    );
    const messages = [
      talk('user', 'Please tidy up the queue worker.'),
      talk('assistant', 'I set RETRY_LIMIT=37 in the worker.'),
      ...run('a', 'rm src/legacy-queue.ts'),
      talk('assistant', 'After the load test I changed it: RETRY_LIMIT=58 in the worker.'),
      ...idle,
      talk('user', 'thanks'),
    ];
    const { bank } = await draftBank({ format: 'openai-chat', messages }, { fixture: 'x' });
    expect(bank.probes).toContainEqual(
      expect.objectContaining({
        type: 'supersession',
        question: 'What is `RETRY_LIMIT` now, after it was changed?',
        expected: [expect.objectContaining({ value: '58', kind: 'number', stale: ['37'] })],
      }),
    );
    expect(bank.probes).toContainEqual(
      expect.objectContaining({
        type: 'artifact',
        question: 'Which file was deleted in this session?',
        expected: [expect.objectContaining({ value: 'src/legacy-queue.ts', kind: 'path' })],
      }),
    );
  });

  test('of an empty or tiny session has no facts, and is no error', async () => {
    const { bank } = await draftBank({ format: 'openai-chat', messages: [] }, { fixture: 'x' });
    expect(bank.probes.every(({ expected }) => expected.length === 0)).toBe(true);
  });
});

describe('with a model', () => {
  const conversation = session('incident/session.jsonl');

  test('takes what stands in the session letter for letter, and drops the rest', async () => {
    const answer = [
      {
        type: 'reason',
        question: 'Why is the proposal withdrawn?',
        answer: 'which breaks your rule about 18:00',
        message: 36,
      },
      {
        type: 'decision',
        question: 'What about the database?',
        answer: 'they decided to buy a larger database',
        message: 12,
      },
      { type: 'decision', question: '', answer: 'x' },
      'nonsense',
    ];
    const model = scriptedModel(behave.answer(`Here you are:\n${JSON.stringify(answer)}`));
    const { bank, dropped } = await draftBank(conversation, { fixture: 'x', model });
    expect(bank.probes.find(({ id }) => id === 'k-1')).toMatchObject({
      type: 'decision',
      question: 'Why is the proposal withdrawn?',
      expected: [{ kind: 'prose', value: 'which breaks your rule about 18:00', spans: [{ message: 36 }] }],
    });
    expect(dropped).toHaveLength(3);
    expect(model.requests[0]?.prompt).toMatch(/^<<<session [0-9a-f]{13}\n/);
  });

  test('goes on without it when it fails or writes something else', async () => {
    for (const model of [scriptedModel(behave.refuse()), scriptedModel(behave.status(503))]) {
      const { bank, dropped } = await draftBank(conversation, { fixture: 'x', model });
      expect(bank.probes.length).toBeGreaterThanOrEqual(8);
      expect(dropped).toHaveLength(1);
    }
  });
});
