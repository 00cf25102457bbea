/** What was planted is gone, what probes depend on is still there, and doing it again changes nothing. */
import { describe, expect, test } from 'vitest';
import { type ScrubOptions, type ScrubResult, scrubSessions } from '../../src/scrub/scrub.ts';
import { parseNames } from '../../src/scrub/user/user-files.ts';
import { readSession } from '../../src/sessions/index.ts';
import { HOST, made, PERSON, PROJECT, plantedItems, plantedSession } from './planted.ts';

const names = parseNames(
  JSON.stringify({ projects: [PROJECT], hosts: [HOST], people: { [PERSON]: 'Alex Example' } }),
  'names.json',
);
const LARGE: ScrubOptions = { names, maxSize: 50_000_000, maxTotal: 50_000_000 };

function scrub(text: string, options: ScrubOptions = LARGE): ScrubResult {
  const { format, conversation } = readSession(text, { name: 's' });
  return scrubSessions([{ name: 's', source: 's.json', format, conversation }], options);
}

describe('the planted corpus', () => {
  const items = plantedItems();
  const result = scrub(JSON.stringify(plantedSession(items)));
  const text = result.sessions[0]?.text ?? '';

  test('has more than 200 items of more than 30 kinds', () => {
    expect(items.length).toBeGreaterThanOrEqual(200);
    expect(new Set(items.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(30);
    expect(
      new Set(items.filter(({ kind }) => !kind.startsWith('listed')).map(({ original }) => original)).size,
    ).toBeGreaterThan(200);
  });

  test('holds each before', () => {
    const before = JSON.stringify(plantedSession(items));
    expect(items.filter(({ original }) => !before.includes(JSON.stringify(original).slice(1, -1)))).toEqual([]);
  });

  test('leaves none of them, in no case variant', () => {
    const lower = text.toLowerCase();
    const left = items.filter(({ original, isName }) => {
      const escaped = JSON.stringify(original).slice(1, -1);
      return isName ? lower.includes(escaped.toLowerCase()) : text.includes(escaped);
    });
    expect(left.map(({ kind, text: where }) => `${kind}: ${where}`)).toEqual([]);
    expect(result.sessions[0]?.left).toEqual([]);
  });

  test('comes out the same when it is scrubbed again, and each time', () => {
    expect(scrub(JSON.stringify(plantedSession(items))).sessions[0]?.text).toBe(text);
    expect(scrub(text).sessions[0]?.text).toBe(text);
  });

  test('the second reading finds nothing to replace but the list', () => {
    expect(scrub(text).counts).toEqual([]);
  });
});

describe('what probes depend on survives', () => {
  const facts = [
    'src/core/redact/scan.ts:125',
    '/var/lib/app/data.db',
    '/home/dev/limiter/src/server.ts',
    '/opt/build/out/main.js',
    'C:\\Program Files\\nodejs\\node.exe',
    made(40, 3, '0123456789abcdef'),
    'commit 4f2a9c1',
    `sha256:${made(64, 4, '0123456789abcdef')}`,
    '123e4567-e89b-42d3-a456-426614174000',
    'ECONNREFUSED 127.0.0.1:5432',
    'HTTP 429',
    'TS2345',
    'exit code 137',
    'git@github.com:owner/repo.git',
    'react@18.3.1',
    '@scope/package@^2.0.0',
    'icon@2x.png',
    'max_tokens: 4096',
    'next_page_token=2',
    'https://example.com/users/42?page=3',
    'cron 0 9 * * 1',
    '2026-04-25T06:17:30Z',
    'PR #8388',
    'decorator @app.route("/home/index")',
    'noreply@github.com',
    'call_00_a8Xk2',
  ];
  test.each(facts)('%s', (fact) => {
    const session = [
      { role: 'user', content: `About ${fact}, please.` },
      { role: 'assistant', content: `I see ${fact}\nand "${fact}".` },
    ];
    const { sessions, counts } = scrub(JSON.stringify(session), { maxSize: 1_000_000 });
    const { messages } = JSON.parse(sessions[0]?.text ?? '') as { messages: unknown };
    expect(messages).toEqual(session);
    expect(counts).toEqual([]);
  });
});
