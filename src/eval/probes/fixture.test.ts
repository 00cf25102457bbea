import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadFixture, loadFixtures } from './fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'precis-fixture-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const messages = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
];
const bank = { probes: [{ id: 'a', type: 'recall', question: 'What?', expected_facts: ['hello'] }] };

describe('a fixture', () => {
  test('is a folder with a session, its probes and its notes', async () => {
    put('one/session.json', { name: 'uno', model: 'm', context_length: 1000, target: 50, truncated_to: 2, messages });
    put('one/probes.json', bank);
    put('one/NOTES.md', '# one\n\nA short talk\nof two.\n');
    const loaded = await loadFixture(join(folder, 'one'));
    expect(loaded.fixture).toMatchObject({ name: 'uno', model: 'm', contextLength: 1000, target: 50 });
    expect(loaded.fixture.description).toBe('A short talk of two.');
    expect(loaded.fixture.header).toMatchObject({ truncated_to: 2 });
    expect(loaded.bank?.fixture).toBe('uno');
    expect(loaded.notes).toContain('of two');
  });

  test('may be lines, a list, or a request of any format; without probes there is no bank', async () => {
    put('lines/session.jsonl', messages.map((message) => JSON.stringify(message)).join('\n'));
    put('list/session.json', messages);
    put('gemini/session.json', { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] });
    const loaded = await loadFixtures(folder);
    expect(loaded.map(({ fixture }) => fixture.name)).toEqual(['gemini', 'lines', 'list']);
    expect(loaded.every((each) => each.bank === null)).toBe(true);
    expect(loaded[1]?.fixture.wire).toEqual(messages);
  });

  test('may lie flat, with its probes in a folder beside', async () => {
    put('fixtures/x.json', { name: 'x', messages });
    put('fixtures/y.json', { name: 'y', messages });
    put('probes/x.probes.json', { fixture: 'x', ...bank });
    put('probes/y.probes.json', { fixture: 'y', ...bank });
    for (const place of [folder, join(folder, 'fixtures')])
      expect((await loadFixtures(place)).map((each) => each.bank?.fixture)).toEqual(['x', 'y']);
    expect((await loadFixture(join(folder, 'fixtures/y.json'))).fixture.name).toBe('y');
  });

  test('is found by its name, and has a digest of its messages alone', async () => {
    put('one/session.json', { description: 'a', messages });
    const before = await loadFixture('one', { root: folder });
    put('one/session.json', { description: 'b', messages });
    const after = await loadFixture('one', { root: folder });
    expect(after.fixture.digest).toBe(before.fixture.digest);
    put('one/session.json', { description: 'b', messages: messages.slice(1) });
    expect((await loadFixture('one', { root: folder })).fixture.digest).not.toBe(before.fixture.digest);
  });

  test('may be a log, if somebody reads it', async () => {
    put('log/session.jsonl', '{"type":"user"}\n{"type":"assistant"}');
    const open = async (): Promise<unknown> => messages;
    expect((await loadFixture(join(folder, 'log'), { open })).fixture.wire).toBe(messages);
    await expect(loadFixture(join(folder, 'log'))).rejects.toThrow('session.jsonl: line');
  });

  test('says in one sentence what is wrong with it', async () => {
    await expect(loadFixtures('nowhere', { root: folder })).rejects.toThrow('nowhere: expected a fixture');
    put('empty/readme.txt', 'x');
    await expect(loadFixtures(join(folder, 'empty'))).rejects.toThrow('expected a folder with session.json');
    put('bad/session.json', '{"name": "bad",\n"context_length": "many",\n"messages": []}');
    await expect(loadFixtures(join(folder, 'bad'))).rejects.toThrow(
      'line 2: expected `context_length` to be a whole number of tokens of 1 or more, or null, got `"many"`',
    );
    put('cut/session.json', '{"messages": [');
    await expect(loadFixtures(join(folder, 'cut'))).rejects.toThrow('line 1: expected JSON');
    put('two/a/session.json', { name: 'same', messages });
    put('two/b/session.json', { name: 'same', messages });
    await expect(loadFixtures(join(folder, 'two'))).rejects.toThrow('a name of its own, got `same` twice');
  });
});
