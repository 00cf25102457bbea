import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../../test/work/cpu-time.ts';
import { factOf } from '../../probes/bank.ts';
import type { FactInput } from '../../probes/schema.ts';
import { FACT_KINDS, type ProbeFactKind } from '../../types.ts';
import { haystackOf } from './haystack.ts';
import { guessKind } from './kind.ts';
import { type MatchOptions, matchFact } from './match.ts';

function outcome(
  kind: ProbeFactKind,
  value: string,
  text: string,
  more: Partial<FactInput> & { options?: MatchOptions } = {},
): string {
  const { options, ...fact } = more;
  return matchFact(factOf({ kind, value, ...fact }), text, options).outcome;
}

describe('paths', () => {
  test.each([
    ['src/window.ts', 'I deleted src/window.ts.', 'verbatim'],
    ['src/window.ts', 'rm /home/dev/limiter/src/window.ts', 'verbatim'],
    ['src/window.ts', 'see `src/window.ts:12`', 'verbatim'],
    ['src/window.ts', 'src\\window.ts is gone', 'normalised'],
    ['/home/dev/limiter/src/window.ts', 'src/window.ts is gone', 'normalised'],
    ['~/notes/a.md', 'in /home/user/notes/a.md', 'normalised'],
    ['src/window.ts', 'src/window.tsx', 'lost'],
    ['src/window.ts', 'lib/src-window.ts', 'lost'],
    ['src/window.ts', 'test/window.ts', 'lost'],
    ['src/window.ts', 'window.ts', 'lost'],
  ])('%s in “%s” is %s', (value, text, expected) => expect(outcome('path', value, text)).toBe(expected));

  test('a bare name counts when no other path of the session ends so', () => {
    const one = haystackOf('src/window.ts and src/clock.ts');
    const two = haystackOf('src/window.ts and test/window.ts');
    expect(outcome('path', 'src/window.ts', 'window.ts is gone', { options: { source: one } })).toBe('normalised');
    expect(outcome('path', 'src/window.ts', 'window.ts is gone', { options: { source: two } })).toBe('lost');
  });
});

describe('names', () => {
  test.each([
    ['createLimiter', 'call createLimiter()', 'verbatim'],
    ['createLimiter', 'call createlimiter()', 'lost'],
    ['createLimiter', 'call createLimiters()', 'lost'],
    ['hermes-agent', 'in hermes-agent-dev', 'lost'],
    ['a', 'tool-schemas', 'lost'],
    ['0.4.0', 'tagged v0.4.0.', 'verbatim'],
    ['0.4.0', '10.4.0', 'lost'],
    ['2.18', 'checkout-api 2.18.3', 'lost'],
    ['"port": 1', '{\\"port\\": 1}', 'normalised'],
    ['EDGE-212', 'EDGE-2123', 'lost'],
  ])('%s in “%s” is %s', (value, text, expected) => expect(outcome('identifier', value, text)).toBe(expected));
});

describe('numbers', () => {
  test.each([
    ['12', 'file-12.csv', 'lost'],
    ['88', 'took 88ms', 'lost'],
    ['88', 'took 88 of them', 'verbatim'],
    ['12', 'v1.12.3', 'lost'],
    ['8417', 'port 8417, as before', 'verbatim'],
    ['8417', '84170', 'lost'],
    ['66184', '66,184 requests', 'normalised'],
    ['10k keys', 'at most 10 000 keys', 'normalised'],
    ['10k keys', 'at most 10 000 users', 'lost'],
    ['250 per minute', 'the limit is 250 requests per minute', 'normalised'],
    ['250 per minute', '250 per hour', 'lost'],
    ['96 of 100', '96 of 1000', 'lost'],
    ['1,180', '1180', 'normalised'],
  ])('%s in “%s” is %s', (value, text, expected) => expect(outcome('number', value, text)).toBe(expected));

  test('a short bare number counts only near words of the question', () => {
    const options = { question: 'What is the burst?' };
    expect(outcome('number', '20', 'the burst stays at 20', { options })).toBe('verbatim');
    expect(outcome('number', '20', 'there were 20 apples', { options })).toBe('lost');
  });
});

describe('hashes and addresses', () => {
  test.each([
    ['hash', '98cbe1a', 'commit 98cbe1a on main', 'verbatim'],
    ['hash', '98cbe1a', 'commit 98cbe1a4f7d20c', 'normalised'],
    ['hash', '98cbe1a4f7d20c', 'commit 98cbe1a', 'normalised'],
    ['hash', '98cbe1a4f7d20c', 'commit 98cbe', 'lost'],
    ['hash', '1234567890', 'order 12345678901', 'lost'],
    ['url', 'https://a.example/x?y=1', 'see https://a.example/x?y=1.', 'verbatim'],
    ['url', 'https://a.example/x?y=1', 'see a.example/x', 'normalised'],
    ['url', 'https://a.example/x', 'see https://a.example/xy', 'lost'],
    ['url', 'https://a.example/x', 'see https://b.example/x', 'lost'],
  ] as const)('%s %s in “%s” is %s', (kind, value, text, expected) =>
    expect(outcome(kind, value, text)).toBe(expected),
  );
});

describe('sentences', () => {
  test.each([
    [
      'error',
      'TypeError: cannot read properties of null',
      'It failed with TypeError: cannot read properties of null',
      'verbatim',
    ],
    ['error', 'TypeError: cannot read properties of null', 'cannot read properties of null', 'lost'],
    ['error', 'TypeError: cannot read properties of null', 'an error', 'lost'],
    ['command', 'npm test -- --watch', 'ran npm test\n-- --watch', 'normalised'],
    ['command', 'npm test', 'ran npm run lint', 'lost'],
    ['command', 'make build → exit code 2', 'make build ended with exit code 2', 'normalised'],
    ['command', 'make build → exit code 2', 'make build ended with exit code 0', 'lost'],
    ['prose', 'every importer would leak a timer', 'Every importer would **leak** a timer', 'normalised'],
    ['prose', 'every importer would leak a timer', 'each importer leaks timers', 'lost'],
    ['prose', 'no', 'now and then', 'lost'],
    ['prose', 'Friday', 'well on fridays', 'normalised'],
    ['todo', 'EDGE-212 is open', 'EDGE-212 is done', 'contradicted'],
    ['todo', 'EDGE-212 is open', 'EDGE-212 is open', 'verbatim'],
  ] as const)('%s “%s” in “%s” is %s', (kind, value, text, expected) =>
    expect(outcome(kind, value, text)).toBe(expected),
  );
});

describe('rules', () => {
  test.each([
    ['never log client ips', 'Also: never log client IPs.', 'normalised'],
    ['never log client ips', 'client IPs must not be in any log', 'normalised'],
    ['never log client ips', 'log client ips', 'contradicted'],
    ['keep at least 3 replicas', 'keep at most 3 replicas', 'contradicted'],
    ['keep at least 3 replicas', 'at least 3 replicas, keep them', 'normalised'],
    ['keep at least 3 replicas', 'keep at least 5 replicas', 'lost'],
    ['restart the payment pods', 'do not restart the payment pods', 'contradicted'],
    ['do not restart pods before 18:00', 'do not restart pods after 18:00', 'contradicted'],
    ['wait about 20 minutes before a retry', 'wait 20 minutes before a retry', 'lost'],
    ['no deploys on friday', 'no deploys on friday: no longer in force', 'contradicted'],
    ['no deploys on friday', 'the weather was fine', 'lost'],
  ])('“%s” in “%s” is %s', (value, text, expected) => expect(outcome('constraint', value, text)).toBe(expected));
});

describe('what no longer holds', () => {
  const fact = { stale: ['100 per minute'], forbidden: ['count by address'] };

  test('an old value without the new one is stale, and beside it no harm in a view', () => {
    expect(outcome('number', '250 per minute', 'the limit is 100 per minute', fact)).toBe('stale');
    expect(outcome('number', '250 per minute', 'from 100 per minute to 250 per minute', fact)).toBe('verbatim');
  });

  test('an answer must not say the old value or what was turned down as if it held', () => {
    const options = { text: 'answer' } as const;
    expect(
      outcome('number', '250 per minute', 'It is 250 per minute. It is 100 per minute.', { ...fact, options }),
    ).toBe('stale');
    expect(
      outcome('number', '250 per minute', 'It is 250 per minute; before it was 100 per minute.', { ...fact, options }),
    ).toBe('verbatim');
    expect(outcome('number', '250 per minute', '250 per minute. We count by address.', { ...fact, options })).toBe(
      'contradicted',
    );
    expect(
      outcome('number', '250 per minute', '250 per minute. We do not count by address.', { ...fact, options }),
    ).toBe('verbatim');
  });

  test('aliases count as the same in other words', () => {
    expect(outcome('prose', 'three', 'there were 3 jobs in all', { aliases: ['3 jobs in all'] })).toBe('normalised');
  });
});

test('every miss says why', () => {
  for (const [kind, value, text] of [
    ['identifier', 'createLimiter', 'call createlimiter()'],
    ['path', 'src/window.ts', 'test/window.ts'],
    ['number', '12 jobs', 'file-12.csv and 12 apples'],
    ['prose', 'the weather was very bad', 'the weather was good'],
  ] as const) {
    const { outcome: found, note } = matchFact(factOf({ kind, value }), text);
    expect(found).toBe('lost');
    expect(note).not.toBe('');
  }
});

test('kinds are guessed by shape', () => {
  expect(
    [
      'https://a.example/x',
      '98cbe1a',
      'src/a.ts',
      '/tmp/x',
      '5680 passed',
      'createLimiter',
      'x-api-key',
      'npm test',
      'yes',
      'AGENTS.md',
    ].map(guessKind),
  ).toEqual(['url', 'hash', 'path', 'path', 'number', 'identifier', 'identifier', 'command', 'prose', 'path']);
});

const KIND = fc.constantFrom(...FACT_KINDS);
const VALUES: Readonly<Record<ProbeFactKind, fc.Arbitrary<string>>> = {
  path: fc
    .array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 2, maxLength: 4 })
    .map((parts) => `${parts.join('/')}.ts`),
  identifier: fc.stringMatching(/^[a-z]{2,8}[A-Z][a-z]{1,8}$/),
  number: fc
    .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom('requests', 'EUR', 'tokens left'))
    .map(([number, unit]) => `${number} ${unit}`),
  hash: fc.stringMatching(/^[a-f][0-9a-f]{6,39}$/),
  url: fc.stringMatching(/^[a-z]{3,9}\/[a-z]{1,9}$/).map((rest) => `https://a.example/${rest}`),
  error: fc.stringMatching(/^[A-Z][a-z]{2,8}Error: [a-z]{3,9} [a-z]{3,9}$/),
  command: fc.stringMatching(/^[a-z]{2,6} [a-z]{2,8} --[a-z]{2,8}$/),
  constraint: fc.stringMatching(/^never [a-z]{3,9} [a-z]{3,9}$/),
  decision: fc.stringMatching(/^use [a-z]{3,9} for [a-z]{3,9}$/),
  todo: fc.stringMatching(/^[a-z]{3,9} [a-z]{3,9} [a-z]{3,9}$/),
  prose: fc.stringMatching(/^[a-z]{3,9} [a-z]{3,9} [a-z]{3,9}$/),
};
const CASE = KIND.chain((kind) => fc.tuple(fc.constant(kind), VALUES[kind]));
const SIDE = fc.constantFrom('', 'It says ', 'Done.\n', '"', '(', 'x: ');
const END = fc.constantFrom('', '.', ' and more', '\n', ')', '",', ', then');

test('a value that stands in a text at a boundary is found verbatim', () => {
  fc.assert(
    fc.property(CASE, SIDE, END, ([kind, value], before, after) => {
      expect(outcome(kind, value, `${before}${value}${after}`)).toBe('verbatim');
    }),
  );
});

test('a number is never found inside a longer one or a name', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999 }), fc.constantFrom('1', 'a', '_', '.5', '-x'), (number, more) => {
      expect(outcome('number', `${number}`, `x${number}${more}`)).toBe('lost');
      expect(outcome('identifier', `n${number}`, `n${number}${more === '.5' ? '.5' : more}`)).toBe('lost');
    }),
  );
});

test('nothing makes a matcher throw, and the empty text holds nothing', () => {
  fc.assert(
    fc.property(
      KIND,
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (kind, value, text) => {
        const fact = factOf({ kind, value, stale: [text || 'x'], forbidden: [value] });
        matchFact(fact, text);
        matchFact(fact, text, { text: 'answer', question: value, source: haystackOf(text) });
        if (value.trim() !== '') expect(matchFact(factOf({ kind, value }), '').outcome).toBe('lost');
      },
    ),
  );
});

test('long texts take time in proportion to their length', async () => {
  const texts = [
    'a/b '.repeat(100_000),
    '12 '.repeat(130_000),
    'never log '.repeat(40_000),
    'a'.repeat(400_000),
    'https://a.example/'.repeat(20_000),
  ];
  for (const text of texts) {
    const hay = haystackOf(text);
    for (const kind of FACT_KINDS)
      for (const value of ['a/b/c.ts', '12 never log things', 'https://a.example/b', 'aaaa']) {
        const ms = await cpuMsOf(() => matchFact(factOf({ kind, value }), hay));
        expect(ms, `${kind} ${value} ${text.slice(0, 10)}`).toBeLessThan(1_500);
      }
  }
}, 120_000);
