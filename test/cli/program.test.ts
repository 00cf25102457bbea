import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { complaintAbout, OLDEST_NODE } from '../../src/cli/node-version.ts';
import { fixture, precis } from './fake-world.ts';
import { chatSession } from './sample.ts';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};

describe('precis', () => {
  test('alone shows its help on standard error, since nothing was asked for', async () => {
    const { code, out, err } = await precis([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Usage: precis [options] [command]');
  });

  test.each([[['--help']], [['help']], [['-h']]])('%j shows its help on standard output', async (args) => {
    const { code, out, err } = await precis(args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Examples:\n  precis demo\n');
  });

  test.each(['compact', 'show', 'scrub'])('help %s shows its help, with examples', async (command) => {
    const { code, out } = await precis(['help', command]);
    expect(code).toBe(0);
    expect(out).toBe((await precis([command, '--help'])).out);
    expect(out).toContain(`Usage: precis ${command} `);
    expect(out).toMatch(/\nExamples:\n/);
  });

  test('says its version', async () => {
    expect(await precis(['--version'])).toMatchObject({ code: 0, out: `${manifest.version}\n` });
  });

  const hint = 'Run the command with `--help` for usage.\n';
  test.each<[readonly string[], string]>([
    [['compct', 'a'], `precis: unknown command 'compct'\n(Did you mean compact?)\n${hint}`],
    [['compact', 'a', '--taget', '5'], `precis: unknown option '--taget'\n(Did you mean --target?)\n${hint}`],
    [['compact'], `precis: missing required argument 'session'\n${hint}`],
    [['compact', 'a', 'b'], `precis: too many arguments for 'compact'. Expected 1 argument but got 2: a, b.\n${hint}`],
    [['compact', 'a', '--target'], `precis: option '--target <tokens>' argument missing\n${hint}`],
    [
      ['compact', 'a', '--target', 'many'],
      `precis: option '--target <tokens>' argument 'many' is invalid. Expected a whole number of 1 or more, such as 10000, 10_000 or 10k.\n${hint}`,
    ],
    [
      ['compact', 'a', '--passes', '0'],
      `precis: option '--passes <n>' argument '0' is invalid. Expected a whole number of 1 or more, such as 10000, 10_000 or 10k.\n${hint}`,
    ],
    [['show', 'a'], `precis: missing required argument 'place'\n${hint}`],
  ])('%j is wrong usage', async (args, sentence) => {
    expect(await precis(args)).toMatchObject({ code: 2, out: '', err: sentence });
  });

  test('takes numbers as people write them', async () => {
    const files = { s: JSON.stringify(chatSession(2, 5)) };
    for (const target of ['100000', '100_000', '100,000', '100k', '100K']) {
      const { code, out } = await precis(['compact', 's', '--target', target, '--json'], { files });
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ tokens: { target: 100_000 } });
    }
  });
});

describe('precis demo', () => {
  test('tells on one screen what was there, what is left, what was kept and what it saves', async () => {
    const { code, out, err } = await precis(['demo']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const part of ['159 messages', '52,380 tokens', '→', 'facts', 'handoff', 'each request', 'npx precis compact'])
      expect(out).toContain(part);
    const lines = out.split('\n');
    expect(lines.length).toBeLessThanOrEqual(50);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('precis show', () => {
  const path = fixture('flight-change/session.json');

  test('shows what a ref of a compacted session stands for', async () => {
    const { out } = await precis(['compact', path, '--target', '6000', '--out', '-']);
    const refs = [...new Set(out.match(/r:[0-9a-f]{13}/g))];
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs.slice(0, 5)) expect((await precis(['show', path, ref])).code).toBe(0);
  });

  test('shows a message by its number', async () => {
    const first = await precis(['show', path, '#1']);
    expect(first.out).toMatch(/^system: /);
    expect(await precis(['show', path, '1'])).toEqual(first);
  });

  test.each([
    ['9999', /: expected a message number from 1 to \d+, got `9999`\n$/],
    ['0', /: expected a message number from 1 to \d+, got `0`\n$/],
    ['r:0000000000000', /: no original for r:0000000000000; a ref belongs to the session it was made from\n$/],
    ['what', /^precis: expected a ref such as `r:0f3a9c2b7d1e4` or a message number, got `what`\n$/],
  ])('says what is wrong with %s', async (place, sentence) => {
    const { code, out, err } = await precis(['show', path, place]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(sentence);
  });
});

describe('complaintAbout', () => {
  test('agrees with package.json on the oldest Node', () => {
    expect(manifest.engines.node).toBe(`>=${OLDEST_NODE.join('.')}`);
  });

  test.each(['22.18.0', '22.19.1', '24.0.0', '100.1.0'])('accepts %s', (version) => {
    expect(complaintAbout(version)).toBe(null);
  });

  test.each(['22.17.9', '20.19.0', '18.0.0', '8.1.4', 'x'])('refuses %s', (version) => {
    expect(complaintAbout(version)).toBe(
      `precis: expected Node.js 22.18 or later, got ${version}; get a newer one from https://nodejs.org`,
    );
  });
});
