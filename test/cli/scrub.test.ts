import { describe, expect, test } from 'vitest';
import { secretlint } from '../../src/cli/commands/scrub/secretlint.ts';
import { precis } from './fake-world.ts';
import { jsonl } from './sample.ts';

const session = JSON.stringify([
  { role: 'user', content: 'Look into /home/teknium/app, please.' },
  { role: 'assistant', content: 'Teknium, it is done.' },
]);
const files = { 's.json': session };

describe('precis scrub', () => {
  test('writes a folder for each session, and tells what it did without showing it', async () => {
    const { code, out, err, written } = await precis(['scrub', 's.json', '--out', 'out'], { files });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(Object.keys(written)).toEqual(['out/s/session.json']);
    expect(JSON.parse(written['out/s/session.json'] ?? '')).toMatchObject({
      name: 's',
      source: 's.json',
      truncated_to: null,
      messages: [{ content: 'Look into /home/user/app, please.' }, { content: 'User, it is done.' }],
    });
    expect(out).toContain('Replaced: 0 secrets, 2 personal; 0 structural changes.\nWritten to out.\n');
    expect(out).not.toMatch(/teknium/i);
  });

  test('gives the same bytes each time, and for its own result', async () => {
    const first = (await precis(['scrub', 's.json', '--out', 'out'], { files })).written['out/s/session.json'] ?? '';
    const again = (await precis(['scrub', 's.json', '--out', 'out'], { files })).written['out/s/session.json'];
    expect(again).toBe(first);
    const own = await precis(['scrub', 'out/s/session.json', '--out', 'b'], { files: { 'out/s/session.json': first } });
    expect(own.written['b/s/session.json']).toBe(first);
  });

  test('takes the log of an agent', async () => {
    const log = jsonl([
      { type: 'session.start', data: { sessionId: 's' } },
      { type: 'user.message', data: { content: 'Look into /home/teknium/app.' } },
      { type: 'assistant.message', data: { content: 'Teknium, it is done.' } },
    ]);
    const { code, written } = await precis(['scrub', 'log.jsonl', '--out', 'o'], { files: { 'log.jsonl': log } });
    expect(code).toBe(0);
    expect(JSON.parse(written['o/log/session.json'] ?? '')).toMatchObject({
      messages: [{ content: 'Look into /home/user/app.' }, { content: 'User, it is done.' }],
    });
  });

  test('without a folder only says what would be done', async () => {
    const { code, out, written } = await precis(['scrub', 's.json', '--report'], { files });
    expect({ code, written }).toEqual({ code: 0, written: {} });
    expect(out).toContain('user name in a path  1');
    expect(out).toContain('Nothing was written; add `--out FOLDER`');
  });

  test('does not overwrite, unless told to', async () => {
    const there = { ...files, 'out/s/session.json': 'old' };
    const { code, err, written } = await precis(['scrub', 's.json', '--out', 'out'], { files: there });
    expect({ code, written }).toEqual({ code: 2, written: {} });
    expect(err).toContain('out/s/session.json: expected a file that does not exist yet');
    expect((await precis(['scrub', 's.json', '--out', 'out', '--force'], { files: there })).code).toBe(0);
  });

  test('prints the report as JSON, and writes it to a file', async () => {
    const { out, written } = await precis(['scrub', 's.json', '--json', '--report', 'r.txt'], { files });
    expect(JSON.parse(out)).toMatchObject({ schema: 1, ok: true, sessions: [{ name: 's', left: [] }] });
    expect(written['r.txt']).toContain('Audit: nothing left.');
  });

  test('takes names, rules and a first message', async () => {
    const given = {
      ...files,
      'n.json': '{"projects": {"app": "thing"}}',
      'r.json': '{"rules": [{"name": "polite", "starts": ["please"], "replacement": "now"}]}',
      'f.txt': 'Look at app, please.\n',
    };
    const flags = ['--names', 'n.json', '--rules', 'r.json', '--first-message', 'f.txt', '--out', 'o'];
    const { code, written } = await precis(['scrub', 's.json', ...flags], { files: given });
    expect(code).toBe(0);
    expect(JSON.parse(written['o/s/session.json'] ?? '')).toMatchObject({
      messages: [{ content: 'Look at thing, now.' }, {}],
    });
  });

  test.each<[readonly string[], string]>([
    [['nothing.json'], 'nothing.json: expected a session file, but there is none of that name'],
    [['s.json', '--names', 'x'], 'expected `--names` to name a file, got `x`'],
    [['s.json', '--rules', 's.json'], 's.json: expected an object with `rules`'],
    [['s.json', 's.json', '--first-message', 's.json'], 'expected one session with `--first-message`, got 2'],
    [['s.json', '--json', '--report'], '`--json` and `--report` both want standard output'],
    [['s.json', '--max-size', 'big'], 'Expected a whole number of 1000 or more'],
    [['s.json', '--out', 's.json'], 's.json: expected a directory to write into, got a file'],
  ])('%j is wrong', async (args, sentence) => {
    const { code, err, written } = await precis(['scrub', ...args], { files });
    expect({ code, written }).toEqual({ code: 2, written: {} });
    expect(err).toContain(sentence);
  });

  test('what the audit still finds is told, exit code 1, and nothing is written', async () => {
    // Two rules that undo each other never come to an end.
    const rules = JSON.stringify({
      rules: [
        { name: 'one', starts: ['done'], replacement: 'gone' },
        { name: 'two', starts: ['gone'], replacement: 'done' },
      ],
    });
    const { code, err, written } = await precis(['scrub', 's.json', '--rules', 'r.json', '--out', 'o'], {
      files: { ...files, 'r.json': rules },
    });
    expect({ code, written }).toEqual({ code: 1, written: {} });
    expect(err).toMatch(/^s: one, \d+ left\n/);
    expect(err).toContain('precis: the audit found something left, so nothing was written; add a rule');
  });
});

describe('the second opinion of secretlint', () => {
  const loader = (found: readonly string[]) => async (name: string) =>
    name === '@secretlint/core'
      ? { lintSource: async () => ({ messages: found.map((ruleId) => ({ ruleId })) }) }
      : { creator: {} };

  test('is asked when it is installed', async () => {
    const ask = await secretlint(loader(['@secretlint/x']));
    expect(await ask?.('s', 'text')).toEqual(['@secretlint/x']);
  });
  test('is not needed', async () => {
    expect(await secretlint(() => Promise.reject(new Error('not there')))).toBeNull();
    expect(await secretlint(async () => ({}))).toBeNull();
  });
});
