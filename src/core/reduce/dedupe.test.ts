import { describe, expect, it } from 'vitest';
import { anthropic } from '../../formats/anthropic/index.ts';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { findRedundant } from './dedupe.ts';

const text = (extra = ''): string =>
  `${Array.from({ length: 30 }, (_, at) => `const value${at} = compute(${at});`).join('\n')}\n${extra}`;

function between(first: string, second: string, command = 'cat a.ts') {
  const session = build().user('Go.').call('Bash', { command }).result(first).call('Bash', { command }).result(second);
  return findRedundant(session.decode(openaiChat).messages);
}

describe('findRedundant', () => {
  it('finds exact copies, whatever tool made them, and keeps the newest', () => {
    const session = build()
      .user('Go.')
      .call('Read', { path: 'a.ts' })
      .result(text())
      .call('Bash', { command: 'make show' })
      .result(text())
      .call('Read', { path: 'b.ts' })
      .result(text());
    expect([...findRedundant(session.decode(openaiChat).messages)]).toEqual([
      [4, { type: 'exact', keeper: 6 }],
      [2, { type: 'exact', keeper: 6 }],
    ]);
  });

  it('finds lookups that were made again with another result', () => {
    expect([...between(text(), `${'other line\n'.repeat(40)}`)]).toEqual([[2, { type: 'superseded', keeper: 4 }]]);
  });

  it('finds near copies that differ in nothing that tells', () => {
    expect([...between(text('all is well'), text('all is good'))]).toEqual([[2, { type: 'near', keeper: 4 }]]);
  });

  it.each([
    ['limit 100', 'limit 500'],
    ['it is allowed', 'it is not allowed'],
    ['it does work', "it doesn't work"],
    ['sent to Alice', 'sent to Bob'],
    ['user: alice', 'user: bob'],
    ['id ab-cd_ef', 'id ab-cd_eg'],
    ['due monday 2026-01-31', 'due monday 2026-02-01'],
    ['see src/a.ts', 'see src/b.ts'],
  ])('never takes "%s" and "%s" for near copies', (first, second) => {
    expect([...between(text(first), text(second))]).toEqual([[2, { type: 'superseded', keeper: 4 }]]);
  });

  it('leaves commands that do something, other targets and short results alone', () => {
    expect(between(text('a'), text('b'), 'make test').size).toBe(0);
    expect(between('ok', 'ok').size).toBe(0);
    const session = build()
      .user('Go.')
      .call('Read', { path: 'a' })
      .result(text('a'))
      .call('Read', { path: 'b' })
      .result(text('b'));
    expect(findRedundant(session.decode(openaiChat).messages).size).toBe(0);
  });

  it('holds a message with several results for a copy only when one message repeats them all', () => {
    const pair = (first: string, second: string) =>
      build('anthropic').user('Go.').call('show', { a: 1 }).call('show', { a: 2 }).result(first).result(second);
    const once = pair(text('one'), text('two')).call('show', { a: 3 }).result(text('one'));
    expect(findRedundant(once.decode(anthropic).messages).size).toBe(0);
    const apart = once.call('show', { a: 4 }).result(text('two'));
    expect([...findRedundant(apart.decode(anthropic).messages)]).toEqual([[2, { type: 'superseded', keeper: 6 }]]);
    const same = pair(text('one'), text('one'));
    expect(findRedundant(same.decode(anthropic).messages).size).toBe(0);
  });

  it('always names a newer keeper', () => {
    let session = build().user('Go.');
    for (let at = 0; at < 40; at++)
      session = session.call('Read', { path: `${at % 3}.ts` }).result(text(at % 7 < 3 ? 'x' : `${at}`));
    for (const [index, { keeper }] of findRedundant(session.decode(openaiChat).messages))
      expect(keeper).toBeGreaterThan(index);
  });
});
