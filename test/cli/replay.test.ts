import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ReplaySummary } from '../../src/replay/metrics/summary.ts';
import { fixture, precis } from './fake-world.ts';

const session = fixture('rate-limiter/session.json');
const other = fixture('flight-change/session.json');
const few = ['--policies', 'none,summary-85,precis', '--window', '20k'];
const folder = mkdtempSync(join(tmpdir(), 'precis-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('replay', () => {
  test('prints a table, and how long it took on standard error', async () => {
    const { code, out, err } = await precis(['replay', session, ...few, '--workers', '0']);
    expect(code).toBe(0);
    expect(out).toContain('anthropic-5m');
    expect(out).toContain('openai-5.6');
    expect(out).toMatch(/ {2}precis +\$/);
    expect(err).toMatch(/^1 session × 3 policies × 2 price lists in [\d.]+ s on the main thread\.\n$/);
  });

  // Each thread loads the program anew, which takes seconds on a busy machine.
  test('gives the same however many threads work', { timeout: 90_000 }, async () => {
    const outs = [];
    for (const workers of ['0', '1', '2']) {
      const { code, out } = await precis(['replay', session, other, ...few, '--json', '--workers', workers]);
      expect(code).toBe(0);
      outs.push(out);
    }
    expect(outs[1]).toBe(outs[0]);
    expect(outs[2]).toBe(outs[0]);
    const report = JSON.parse(outs[0] ?? '') as ReplaySummary;
    expect(report.results).toHaveLength(2 * 3 * 2);
    expect(report.sessions.map(({ name }) => name)).toEqual([session, other]);
  });

  test('writes Markdown and a page, never over a file that is there', async () => {
    const args = ['replay', session, ...few, '--workers', '0', '--markdown', 'a.md', '--html', 'a.html'];
    const { code, written } = await precis(args);
    expect(code).toBe(0);
    expect(written['a.md']).toMatch(/^# Replay\n/);
    expect(written['a.html']).toMatch(/^<!doctype html>/);
    const again = await precis(args, { files: { 'a.html': 'mine' } });
    expect(again.code).toBe(2);
    expect(again.err).toContain('--force');
  });

  test('prints one of them instead of the table with `-`, and only one thing', async () => {
    const args = ['replay', session, ...few, '--workers', '0'];
    const page = await precis([...args, '--html', '-', '--markdown', 'a.md']);
    expect(page.out).toMatch(/^<!doctype html>.*<\/html>\n?$/s);
    expect(Object.keys(page.written)).toEqual(['a.md']);
    expect((await precis([...args, '--markdown', '-'])).out).toMatch(/^# Replay\n/);
    const both = await precis([...args, '--html', '-', '--json']);
    expect(both.code).toBe(2);
    expect(both.err).toContain('expected one thing for standard output, got `--json` and `--html -`');
  });

  test('takes a policy of the user', async () => {
    const mine = join(folder, 'mine.js');
    writeFileSync(
      mine,
      "export default { id: 'mine', title: 'mine', note: 'Nothing.', start: () => ({ before: () => null }) };\n",
    );
    const { code, out } = await precis(['replay', session, '--policy', mine, '--workers', '0']);
    expect(code).toBe(0);
    expect(out).toMatch(/ {2}mine +\$/);
    const none = join(folder, 'none.js');
    writeFileSync(none, 'export default 7;\n');
    const bad = await precis(['replay', session, '--policy', none, '--workers', '0']);
    expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('expected a default export with `id`')]);
  });

  test('reports a session that cannot be read and goes on; with none left it is an error', async () => {
    const files = { 'bad.json': '{"messages": [' };
    const both = await precis(['replay', 'bad.json', session, ...few, '--workers', '0'], { files });
    expect(both.code).toBe(0);
    expect(both.out).toContain('Not replayed: bad.json: ');
    const alone = await precis(['replay', 'bad.json', ...few, '--workers', '0'], { files });
    expect(alone.code).toBe(2);
    expect(alone.err).toContain('expected sessions that can be replayed');
  });

  test.each([
    [['--policies', 'nothing'], 'expected `--policies` to name any of none,'],
    [['--prices', 'nobody'], 'expected the id of cache rules, got `nobody`; known are anthropic-5m,'],
    [['--pace', 'soon'], 'Expected a time such as 30s'],
    [['--window', '3'], 'whole number of 1000 or more'],
    [['--policy', 'missing.js'], 'loading it failed'],
  ])('%j is wrong, and says how to do it', async (flags, text) => {
    const { code, err } = await precis(['replay', session, ...flags, '--workers', '0']);
    expect(code).toBe(2);
    expect(err).toContain(text);
  });

  test('a folder is searched', async () => {
    writeFileSync(
      join(folder, 'a.json'),
      JSON.stringify([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ]),
    );
    writeFileSync(join(folder, 'b.json'), '{"unrelated": true}');
    const { code, out, err } = await precis(['replay', folder, ...few, '--workers', '0'], { folders: ['.', folder] });
    expect(code).toBe(0);
    expect(out).toContain('1 session, 1 request');
    expect(err).toContain('1 file held no session');
  });
});
