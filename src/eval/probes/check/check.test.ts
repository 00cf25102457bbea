import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../core/conversation/conversation.ts';
import type { Message } from '../../../core/conversation/message.ts';
import type { Probe } from '../../types.ts';
import { factOf } from '../bank.ts';
import type { FactInput } from '../schema.ts';
import { checkBank } from './check.ts';
import type { ProbeGate } from './gates.ts';
import { regionsOf } from './regions.ts';

function said(role: 'system' | 'user' | 'assistant', text: string): Message {
  return { role, parts: [{ type: 'text', text }] };
}

const filler = (n: number): Message[] =>
  Array.from({ length: n }, (_, index) =>
    said('assistant', `Step ${index}: ${'some words about nothing at all '.repeat(12)}`),
  );

const conversation: Conversation = {
  format: 'openai-chat',
  messages: [
    said('system', 'You work in /srv/app.'),
    said('user', 'Please fix the importer.'),
    ...filler(4),
    said('user', 'never write to the replica. the limit is 100 per minute for now'),
    said('assistant', 'The crash is ERR_PARSE_HEADER in src/reader.ts, and the token budget is 4242.'),
    ...filler(12),
    said('user', 'the limit is 250 per minute now'),
    ...filler(30),
    said('user', 'thanks, all good with build 777123'),
  ],
};

function check(question: string, facts: readonly (string | FactInput)[], more: Partial<Probe> = {}) {
  const probe: Probe = { id: 'p', type: 'recall', question, expected: facts.map(factOf), pass: null, ...more };
  return checkBank({ name: 'x' }, { probes: [probe] }, { conversation });
}

function gates(...input: Parameters<typeof check>): readonly ProbeGate[] {
  return check(...input).rejected.flatMap((rejected) => rejected.gates);
}

describe('a bank', () => {
  test('is sound when its facts stand in what is folded, and nowhere else', () => {
    const found = check('Which error stopped the import, and where?', ['ERR_PARSE_HEADER', 'src/reader.ts']);
    expect(found).toMatchObject({ ok: true, findings: [], rejected: [], probes: 1, facts: 2 });
    expect(gates('What about writing?', [{ value: 'never write to the replica', kind: 'constraint' }])).toEqual([]);
  });

  test.each([
    ['a value that was never said', 'Which error?', ['ERR_NOT_THERE'], ['literal', 'ceiling']],
    ['a value in its own question', 'Was it ERR_PARSE_HEADER?', ['ERR_PARSE_HEADER'], ['question']],
    ['a value in the system prompt', 'Where is the work?', ['/srv/app'], ['region']],
    ['a value in the newest messages', 'Which build?', ['777123'], ['region']],
    ['a value in the task', 'What is to be fixed?', [{ value: 'the importer', kind: 'prose' }], ['region']],
    ['a value that can be guessed', 'Did it work?', ['yes'], ['literal', 'ceiling', 'floor']],
    ['no facts', 'Which error?', [], ['expected']],
    ['a fact twice', 'Which error?', ['ERR_PARSE_HEADER', 'ERR_PARSE_HEADER'], ['unique']],
  ] as const)('%s is unsound', (_what, question, facts, expected) => {
    expect(gates(question, facts)).toEqual(expected);
  });

  test('a span that does not hold its value is unsound', () => {
    const spans = [{ message: 7, start: 0, end: 5 }];
    expect(gates('Which error?', [{ value: 'ERR_PARSE_HEADER', spans }])).toEqual(['literal']);
  });

  test('a secret is unsound', () => {
    expect(gates(`Is the key ghp_${'a1B2c3D4e5'.repeat(4)}?`, ['ERR_PARSE_HEADER'])).toContain('secret');
  });

  test('what was replaced must be older than what replaced it', () => {
    const question = 'How many are allowed?';
    expect(gates(question, [{ value: '250 per minute', kind: 'number', stale: ['100 per minute'] }])).toEqual([]);
    expect(gates(question, [{ value: '100 per minute', kind: 'number', stale: ['250 per minute'] }])).toEqual([
      'contradiction',
    ]);
    expect(gates(question, [{ value: '250 per minute', kind: 'number', stale: ['250 per minute'] }])).toEqual([
      'contradiction',
    ]);
    const never = check(question, [{ value: '250 per minute', kind: 'number', stale: ['90 per minute'] }]);
    expect(never).toMatchObject({ ok: true, findings: [{ gate: 'contradiction', severity: 'warning' }] });
  });

  test('a question to which there is no answer expects none', () => {
    expect(gates('Which phone number?', [], { type: 'abstention' })).toEqual([]);
    expect(gates('Which phone number?', ['ERR_PARSE_HEADER'], { type: 'abstention' })).toEqual(['expected']);
  });

  test('probes do not give each other away, nor share ids or questions', () => {
    const first: Probe = {
      id: 'p',
      type: 'recall',
      question: 'Which error?',
      expected: [factOf('ERR_PARSE_HEADER')],
      pass: null,
    };
    const second: Probe = {
      ...first,
      question: 'In which file is ERR_PARSE_HEADER?',
      expected: [factOf('src/reader.ts')],
    };
    const found = checkBank({ name: 'x' }, { probes: [first, second] }, { conversation });
    expect(found.rejected).toEqual([{ probe: 'p', gates: ['unique', 'floor'] }]);
    const twice = checkBank({ name: 'x' }, { probes: [first, { ...first, id: 'q' }] }, { conversation });
    expect(twice.findings.map(({ text }) => text)).toContain('asks the same as q');
  });
});

test('regions: system, task and tail are kept, a tenth is recent, the rest is folded', () => {
  const regions = regionsOf(conversation.messages);
  expect(regions.slice(0, 3)).toEqual(['system', 'task', 'folded']);
  expect(regions.at(-1)).toBe('tail');
  expect(regions.filter((region) => region === 'recent').length).toBeGreaterThan(0);
  expect(regionsOf([])).toEqual([]);
});
