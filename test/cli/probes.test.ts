import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseBank } from '../../src/eval/probes/bank.ts';
import { behave, startModelServer } from '../../src/testing/index.ts';
import { fixture, precis } from './fake-world.ts';

const session = readFileSync(fixture('incident/session.jsonl'), 'utf8');

describe('precis probes', () => {
  test('drafts a bank to a file, and says what it is worth', async () => {
    const { code, out, err, written } = await precis(['probes', 'session.jsonl', '--out', 'p.json', '--count', '8'], {
      files: { 'session.jsonl': session },
    });
    expect([code, out]).toEqual([0, '']);
    expect(parseBank(written['p.json'] ?? '', { file: 'p.json' }).probes).toHaveLength(8);
    expect(err).toContain('8 probes from');
    expect(err).toContain('read every question before you use it');
  });

  test('prints the draft without a file, and with --json what was rejected too', async () => {
    const plain = await precis(['probes', fixture('incident/session.jsonl'), '--count', '3']);
    expect(parseBank(plain.out, { file: 'p.json' })).toMatchObject({ fixture: 'incident' });
    const { out, err } = await precis(['probes', '-', '--count', '3', '--json'], { stdin: session });
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      bank: { fixture: 'session', probes: [{}, {}, {}] },
      rejected: expect.any(Array),
    });
  });

  test('asks a model for decisions, and takes what it quotes', async () => {
    const answer = 'which breaks your rule about 18:00';
    const proposal = { type: 'reason', question: 'Why is the first proposal withdrawn?', answer, message: 36 };
    const server = await startModelServer(behave.answer(JSON.stringify([proposal])));
    const before = process.env['PRECIS_BASE_URL'];
    process.env['PRECIS_BASE_URL'] = `${server.url}/v1`;
    try {
      const { code, out, err } = await precis(['probes', '-', '--model', 'compatible/some-model'], { stdin: session });
      expect(code).toBe(0);
      expect(err).toContain('compatible/some-model will read the session once.');
      const { probes } = parseBank(out, { file: 'p.json' });
      expect(probes.map(({ question }) => question)).toContain(proposal.question);
    } finally {
      if (before === undefined) delete process.env['PRECIS_BASE_URL'];
      else process.env['PRECIS_BASE_URL'] = before;
      await server.close();
    }
  });

  test('says when a session has too little in it', async () => {
    const tiny = JSON.stringify([{ role: 'user', content: 'hi' }]);
    const { code, err } = await precis(['probes', 'a.json'], { files: { 'a.json': tiny } });
    expect(code).toBe(0);
    expect(err).toContain('Fewer than 10');
  });

  test.each([
    [['probes', 'a.json', 'b.json'], 'expected one session to draft from, got 2'],
    [['probes', 'a.json', '--count', '0'], 'Expected a whole number of 1 or more'],
    [['probes', 'a.json', '--count', '500'], 'expected `--count` to be at most 200, got 500'],
    [['probes', 'a.json', '--model', 'nobody/nothing'], 'nobody/nothing'],
    [['probes', '--check', 'nowhere'], 'nowhere: expected a fixture'],
    [['probes', '--check', 'nowhere', '--out', 'x'], '`--check` writes nothing'],
    [['probes'], "missing required argument 'places'"],
  ])('%j is refused', async (args, sentence) => {
    const { code, err } = await precis(args, { files: { 'a.json': session } });
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });

  test('checks the shipped fixtures', async () => {
    const { code, out, err } = await precis(['probes', '--check', fixture('flight-change'), fixture('incident')]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('flight-change: 15 of 15 probes sound');
  });

  test('ends with 1 when a probe is unsound, and names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precis-probes-'));
    try {
      writeFileSync(join(folder, 'session.jsonl'), session);
      const probe = { id: 'a', type: 'recall', question: 'Which incident?', expected_facts: ['INC-3381'] };
      writeFileSync(join(folder, 'probes.json'), JSON.stringify({ fixture: 'x', probes: [probe] }));
      const { code, out } = await precis(['probes', '--check', folder]);
      expect(code).toBe(1);
      expect(out.replaceAll(/\s+/g, ' ')).toContain(
        'unsound a (region): `INC-3381` stands in the task (message 1), which every view keeps',
      );
      const json = await precis(['probes', '--check', folder, '--json']);
      expect(JSON.parse(json.out)).toMatchObject({
        ok: false,
        fixtures: [{ rejected: [{ probe: 'a', gates: ['region'] }] }],
      });
      rmSync(join(folder, 'probes.json'));
      expect((await precis(['probes', '--check', folder])).err).toContain('expected probes next to it');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
