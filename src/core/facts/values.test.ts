import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { ledgerOf } from '../worth/judge-facts.ts';
import { valuesIn } from './values.ts';

function values(text: string): readonly string[] {
  return valuesIn(text).map(({ key, value }) => (key === value ? value : `${key}=${value}`));
}

describe('valuesIn', () => {
  it.each<[string, readonly string[]]>([
    ['The fix is in 3f9a2b1c.', ['3f9a2b1c']],
    ['Session 550e8400-e29b-41d4-a716-446655440000 is stuck', ['550e8400-e29b-41d4-a716-446655440000']],
    ['See PR #42, issue 17 and #1009.', ['PR #42', 'issue 17', '#1009']],
    ['Docs are at https://docs.shop.example/a/3f9a2b1c?x=1.', ['https://docs.shop.example/a/3f9a2b1c?x=1']],
    ['It listens on port 8080.', ['port=8080']],
    ['Node v22.18.0 and lodash@4.17.21', ['v22.18.0', 'lodash@4.17.21']],
    ['Set NODE_ENV=production. Then `PORT=3000`.', ['NODE_ENV=production', 'PORT=3000']],
    ['server.port: 8080 and spec.replicas=3', ['server.port=8080', 'spec.replicas=3']],
    ['Due 2026-01-31 at 2026-02-01T10:00:00Z', ['2026-01-31', '2026-02-01T10:00:00Z']],
    ['The host is 10.0.0.12:5432', ['10.0.0.12:5432']],
    ['OPS-1234 mentions CVE-2024-12345', ['OPS-1234', 'CVE-2024-12345']],
    ['Work on branch feature/login', ['branch=feature/login']],
  ])('finds what engineers copy in "%s"', (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['My order #W1234567 cost $12.50', ['order #W1234567', '$12.50']],
    ['Refund 5 EUR or $1.2M, not $7', ['5 EUR', '$1.2M', '$7']],
    ['Booking XK4P2Q on flight HAT069', ['Booking XK4P2Q', 'HAT069']],
    ['Fly out May 20, 2024 and back on 3rd of June', ['May 20, 2024', '3rd of June']],
    ['Write to ada.l@shop.example', ['ada.l@shop.example']],
    ['Arrives 15.01.2024 or 2024/01/16', ['15.01.2024', '2024/01/16']],
  ])('finds what customers say in "%s"', (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each([
    'The defaced facade of a decade, 1234567 times, in a cafe',
    'UTF-8, SHA-256, SHA256, HS256, ES2022 and BASE64',
    'Wait 10 minutes 30 seconds',
    'In case 3 fails, I may 10 times try',
    'if (MAX_SIZE == 5)',
    'color #1a2b3c and &#39;',
    'Use the window on the left and port the code',
  ])('finds nothing in "%s"', (text) => {
    expect(values(text)).toEqual([]);
  });

  it('does not take dates and addresses for versions', () => {
    for (const { sort } of valuesIn('15.01.2024 2024.01.15 10.0.0.1')) expect(sort).not.toBe('version');
  });

  it('tells settings of different things apart', () => {
    expect(values('the rate limit is 100 and the memory limit is 512')).toEqual(['rate limit=100', 'memory limit=512']);
    expect(values('change the port from 8080 to 9090')).toEqual(['port=9090']);
  });

  it('gives only what stands in the text, quickly, and never throws', () => {
    const piece = fc.constantFrom(
      'a_',
      '1.',
      'A1',
      '#',
      '@a',
      'max ',
      'port is ',
      '10.',
      '$',
      '=',
      ' ',
      'f0',
      '-',
      '/',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 400 }).map((all) => all.join('')),
        ),
        (text) => {
          for (const { value } of valuesIn(text)) expect(text).toContain(value);
        },
      ),
    );
    for (const unit of ['a_', '1.', 'A1', 'a@', 'a.', '0-']) valuesIn(unit.repeat(100_000));
  });
});

describe('values of a session', () => {
  const facts = (session: ReturnType<typeof build>) =>
    ledgerOf(session.decode(openaiChat).messages).facts.filter((fact) => fact.kind === 'value');

  it('keeps the latest value of a key and marks the earlier one stale', () => {
    const found = facts(
      build().user('Use port 8080.').assistant('Done.').user('Change the port to 9090.').assistant('Now on port 9090.'),
    );
    expect(found.map(({ text, status }) => `${text} ${status}`)).toEqual(['port = 8080 stale', 'port = 9090 current']);
    expect(found.map(({ critical }) => critical)).toEqual([false, true]);
  });

  it('does not take the same value with a full stop for another one', () => {
    const found = facts(build().user('The port is 8080.').assistant('Port 8080 it is'));
    expect(found.map(({ text, status }) => `${text} ${status}`)).toEqual(['port = 8080 current']);
  });

  it('makes a value current again when it comes back', () => {
    const found = facts(build().user('port 1000').assistant('ok').user('port 2000').assistant('ok').user('port 1000'));
    expect(found.find(({ text }) => text === 'port = 1000')?.status).toBe('current');
    expect(found.find(({ text }) => text === 'port = 2000')?.status).toBe('stale');
  });

  it('leaves limits of two things both current', () => {
    const found = facts(build().user('The rate limit is 100.').assistant('ok').user('The memory limit is 512.'));
    expect(found.map(({ status }) => status)).toEqual(['current', 'current']);
  });

  const told = (session: ReturnType<typeof build>): readonly string[] =>
    facts(session).map(({ text, status }) => `${text} ${status}`);
  const list = () =>
    build()
      .user('Assign the ports.')
      .assistant('tariff, port 4151.')
      .user('next')
      .assistant('sluice, port 4175.')
      .user('next')
      .assistant('berth: port 4259');

  it('leaves the values of a list of things all current, and replaces those of one that is named again', () => {
    expect(told(list().user('no, tariff gets port 4300'))).toEqual([
      'tariff port = 4151 stale',
      'sluice port = 4175 current',
      'berth port = 4259 current',
      'tariff port = 4300 current',
    ]);
  });

  it('takes the name that is nearest before the value, and none when no name is said', () => {
    const staleAfter = (text: string): readonly string[] =>
      told(list().user(text)).filter((line) => line.endsWith('stale'));
    expect(staleAfter('unlike tariff, sluice gets port 4300')).toEqual(['sluice port = 4175 stale']);
    expect(staleAfter('I tried it on port 5000')).toEqual([]);
  });

  it('keeps a value that two things have until both have another', () => {
    const session = build().user('Go.').assistant('tariff, port 80').user('ok').assistant('sluice, port 80').user('ok');
    expect(told(session.assistant('tariff, port 81'))).toEqual([
      'sluice port = 80 current',
      'tariff port = 81 current',
    ]);
  });

  it.each([
    ['Set the limit to 100.', 'Raise the limit to 250.'],
    ['The limit is 100 today.', 'The limit is 250 now.'],
    ['ok, limit 100', 'sorry, limit 250'],
    ['Correction: the limit is 100', 'Update: the limit is 250'],
    ['Unfortunately, the limit is 100', 'hey, the limit is 250'],
    ['Start it with limit 100.', 'Run it with limit 250.'],
  ])('sees a change from "%s" to "%s"', (before, after) => {
    expect(told(build().user(before).assistant('Right.').user(after))).toEqual([
      'limit = 100 stale',
      'limit = 250 current',
    ]);
  });

  it('does not take the name of a function for a branch', () => {
    expect(values('It is on a branch: `createBlobFromFile` wrote it')).toEqual([]);
    expect(values('It is on the branch `fixLogin`')).toEqual(['branch=fixLogin']);
  });

  it('holds what users say for critical, and what files hold for no news', () => {
    const found = facts(
      build()
        .user('Order #W1234567, please.')
        .call('read', { path: 'a.txt' })
        .result('order #W7654321')
        .assistant('ok'),
    );
    expect(found.map(({ needles, critical }) => [needles[0], critical])).toEqual([['Order #W1234567', true]]);
  });
});
