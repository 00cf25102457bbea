import { describe, expect, test } from 'vitest';
import type { Probe } from '../types.ts';
import { bankOf, bankText, digestOf, factOf, parseBank } from './bank.ts';

const probe: Probe = {
  id: 'a',
  type: 'recall',
  question: 'Which port?',
  expected: [factOf({ value: '8417', kind: 'number', stale: ['80'], spans: [{ message: 1, start: 2, end: 6 }] })],
  pass: null,
};

describe('a probe bank', () => {
  test('is read with plain texts as facts, their kind guessed', () => {
    const text = JSON.stringify({
      fixture: 'x',
      description: 'as others write it',
      probes: [{ id: 'a', type: 'recall', question: 'What?', expected_facts: ['src/a.ts', 'only one'] }],
    });
    const { fixture, probes } = parseBank(text, { file: 'x.json' });
    expect(fixture).toBe('x');
    expect(probes[0]?.expected.map(({ kind, weight }) => [kind, weight])).toEqual([
      ['path', 'vital'],
      ['prose', 'vital'],
    ]);
  });

  test('comes back as it was written', () => {
    const bank = bankOf({ fixture: 'x', probes: [probe], file: 'f' });
    expect(parseBank(bankText(bank), { file: 'f' })).toEqual(bank);
  });

  test('has a digest of what is scored, and of nothing else', () => {
    const [fact] = probe.expected;
    const moved = { ...probe, expected: [{ ...(fact ?? factOf('')), spans: [] }] };
    const changed = { ...probe, expected: [{ ...(fact ?? factOf('')), stale: [] }] };
    expect(digestOf([moved])).toBe(digestOf([probe]));
    expect(digestOf([changed])).not.toBe(digestOf([probe]));
    expect(digestOf([probe], () => 'other')).toBe('other');
  });

  test.each([
    ['{', 'p.json: line 1: expected JSON, got something else'],
    ['[]', 'p.json: line 1: expected the file to be an object, got an empty list'],
    ['{"probes": []}', 'p.json: line 1: expected `probes` to be a list of at least one probe, got an empty list'],
    [
      '{\n"probes": [\n{"id": "a", "type": "recall", "question": "?"},\n{"id": "b",\n"type": "riddle", "question": "?"}]}',
      'p.json: line 5: expected `probes[1].type` to be one of recall, artifact, continuation, decision, constraint, supersession, abstention, drift, got `"riddle"`',
    ],
    [
      '{"probes": [{"id": "a", "type": "recall",\n"question": "?",\n"expected_facts": ["x",\n{"value": "y", "kind": "colour"}]}]}',
      'p.json: line 4: expected `probes[0].expected_facts[1].kind` to be one of path, identifier, number, hash, url, error, command, constraint, decision, todo, prose, got `"colour"`',
    ],
    [
      '{"probes": [{"id": "a", "type": "recall", "question": "?",\n"expected_facts": [7]}]}',
      'p.json: line 2: expected `probes[0].expected_facts[0]` to be a text, or an object with a value, got `7`',
    ],
    [
      '{"probes": [{"type": "recall", "question": "?"}]}',
      'p.json: line 1: expected `probes[0].id` to be a text that names the probe, got nothing',
    ],
  ])('%s is refused with its line and field', (text, message) => {
    expect(() => parseBank(text, { file: 'p.json' })).toThrow(message);
  });
});
