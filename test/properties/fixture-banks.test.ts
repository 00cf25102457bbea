/** The fixtures with probes in the newer form: sessions that were recorded for the evaluation. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { longFixture, longSessionText } from '../../scripts/make-long-fixture.ts';
import { checkSound } from '../../src/core/conversation/sound.ts';
import { taskIndex } from '../../src/core/conversation/turns.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { FACT_KINDS, PROBE_TYPES } from '../../src/eval/types.ts';
import { o200k } from '../../src/models/o200k.ts';
import { fixtures, folded, longHaul, partsOf, probeFile, readable } from './support.ts';

const root = fileURLToPath(new URL('../../fixtures', import.meta.url));
/** Limits of a fixture and of all together, in bytes. */
const LARGEST = 150_000;
const LARGEST_SUM = 500_000;
/** It was there before the limit, and demo and documentation quote it. */
const LARGER = 'rate-limiter';
/** Views keep the newest messages as they are: what stands only there proves nothing. */
const NEWEST = 8;

/** These were there before headers were. */
const OLDER: ReadonlySet<string> = new Set(['rate-limiter', 'flight-change', 'incident']);
const recorded = [...fixtures(), longHaul()].filter(({ name }) => !OLDER.has(name));

describe('recorded fixtures', () => {
  it('are the ones that are known', () => {
    expect(recorded.map(({ name }) => name)).toEqual([
      'triage-pr',
      'weekly-jobs',
      'chained-merge',
      'patch-and-merge',
      'long-haul',
    ]);
  });

  for (const { name, wire, format, conversation } of recorded) {
    const { fixture, probes = [] } = probeFile(name);
    const { messages } = conversation;
    const task = taskIndex(messages);
    const isHead = (index: number): boolean => messages[index]?.role === 'system' || index === task;
    const whole = readable(messages);
    const head = readable(messages.filter((_, index) => isHead(index)));
    const middle = readable(messages.filter((_, index) => !isHead(index) && index < messages.length - NEWEST));
    const facts = probes.flatMap(({ id, question, expected_facts: expected }) =>
      expected.map((fact) => ({
        id,
        question,
        fact: typeof fact === 'string' ? { value: fact, kind: 'prose' } : fact,
      })),
    );

    describe(name, () => {
      it('has a header, and is sound as it is', () => {
        expect(wire).toMatchObject({
          name,
          description: expect.any(String),
          model: expect.any(String),
          context_length: expect.any(Number),
          notes: expect.any(String),
        });
        expect(checkSound(conversation, format).type).toBe('sound');
        expect(existsSync(join(root, name, 'NOTES.md'))).toBe(true);
      });

      it('shows no machine it was recorded on', () => {
        expect(JSON.stringify(wire)).not.toMatch(
          /\/tmp\/|\/root\b|root@|\/work\/|\/Users\/(?!user\b)|\/home\/(?!dev\b|user\b)/,
        );
      });

      it('has 8 to 12 probes of known types and kinds', () => {
        expect(fixture).toBe(name);
        expect(probes.length).toBeGreaterThanOrEqual(8);
        expect(probes.length).toBeLessThanOrEqual(12);
        expect(new Set(probes.map(({ id }) => id)).size).toBe(probes.length);
        for (const { id, type, expected_facts: expected } of probes) {
          expect(PROBE_TYPES, id).toContain(type);
          expect(expected.length === 0, id).toBe(type === 'abstention');
        }
        for (const { id, fact } of facts) expect(FACT_KINDS, id).toContain(fact.kind);
      });

      it('states every expected fact literally, and not only at its ends', () => {
        for (const { id, fact } of facts) {
          expect(whole, id).toContain(folded(fact.value));
          expect(middle, id).toContain(folded(fact.value));
        }
      });

      it('gives nothing away in questions, system prompt and task', () => {
        for (const { id, question, fact } of facts)
          for (const wording of [fact.value, ...(fact.aliases ?? [])]) {
            expect(question.toLowerCase(), id).not.toContain(wording.toLowerCase());
            expect(head, id).not.toContain(folded(wording));
          }
      });

      it('has earlier values that were really there and are not part of the last one', () => {
        for (const { id, fact } of facts)
          for (const stale of fact.stale ?? []) {
            expect(whole, id).toContain(folded(stale));
            for (const wording of [fact.value, ...(fact.aliases ?? [])]) {
              expect(wording.includes(stale), `${id}: ${stale}`).toBe(false);
              expect(stale.includes(wording), `${id}: ${stale}`).toBe(false);
            }
          }
      });
    });
  }

  it('ask after a compaction only for what has been said by then', () => {
    const chained = recorded.find(({ name }) => name === 'chained-merge');
    if (chained === undefined) throw new Error('chained-merge is missing');
    const passes = 3;
    const parts = partsOf(chained.conversation.messages, passes);
    for (const { id, pass = 1, expected_facts: expected } of probeFile('chained-merge').probes ?? []) {
      const text = readable(parts.slice(0, pass).flat());
      for (const fact of expected)
        expect(text, `${id} after ${pass}`).toContain(folded(typeof fact === 'string' ? fact : fact.value));
    }
  });
});

describe('sizes of fixtures', () => {
  const files = globSync('*/{session.json,session.jsonl,parts.json}', { cwd: root }).map((file) => ({
    file,
    bytes: statSync(join(root, file)).size,
  }));

  it('stay within the limits', () => {
    for (const { file, bytes } of files) if (!file.startsWith(LARGER)) expect(bytes, file).toBeLessThanOrEqual(LARGEST);
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(LARGEST_SUM);
  });
});

describe('the long session', () => {
  it('is the same every time, and over 100,000 tokens', () => {
    expect(readFileSync(join(longFixture(), 'session.json'), 'utf8')).toBe(longSessionText());
    expect(createMeasure(o200k).conversation(longHaul().conversation)).toBeGreaterThan(100_000);
  });
});
