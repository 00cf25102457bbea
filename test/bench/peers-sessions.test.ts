import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSessions } from '../../bench/peers/sessions.ts';

const MESSAGES = [
  { role: 'user', content: 'Open port 8080.' },
  { role: 'assistant', content: 'Port 8080 is open, the host is alpha.' },
];
const FACT = { id: 'host', kind: 'name', question: 'Which host?', needles: ['host is alpha'] };

describe('a folder with conversations and facts', () => {
  let folder = '';
  let notes: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'precis-sessions-'));
    notes = [];
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (place: string, text: string): Promise<void> => {
    await mkdir(join(folder, place, '..'), { recursive: true });
    await writeFile(join(folder, place), text);
  };
  const converse = (): Promise<void> => write('conversations/a.json', JSON.stringify(MESSAGES));
  const load = () => loadSessions(folder, (note) => notes.push(note));

  it('is read, and white space in a needle is folded', async () => {
    await converse();
    await write('facts/a.json', JSON.stringify({ facts: [{ ...FACT, needles: ['host\n is alpha'] }] }));
    expect(await load()).toMatchObject([
      { name: 'a', facts: [{ id: 'host', needles: ['host is alpha'], position: 1 }] },
    ]);
    expect(notes).toEqual([]);
  });

  it('may hold a conversation with one message a line', async () => {
    await write('conversations/a.jsonl', MESSAGES.map((message) => JSON.stringify(message)).join('\n'));
    await write('facts/a.json', JSON.stringify({ facts: [FACT] }));
    expect((await load())[0]?.messages).toHaveLength(2);
  });

  it('says how many facts are not literally in their session', async () => {
    await converse();
    const facts = [FACT, { ...FACT, id: 'other', needles: ['host is beta'] }];
    await write('facts/a.json', JSON.stringify({ facts }));
    expect((await load())[0]?.facts).toHaveLength(1);
    expect(notes).toEqual(['a: not counted, as not literally in the session: 1 of 2 facts']);
  });

  it('says that no fact is left', async () => {
    await converse();
    await write('facts/a.json', JSON.stringify({ facts: [{ ...FACT, needles: ['host is beta'] }] }));
    await expect(load()).rejects.toThrow(
      'expected a session with at least one fact that is literally in it, found none',
    );
    expect(notes).toEqual(['a: none of its facts (1) is literally in the session, so the session is left out']);
  });

  const NEEDLES = 'facts[1].needles: expected a list of texts that are not empty';
  const withNeedles = (needles: unknown): string => JSON.stringify({ facts: [FACT, { ...FACT, needles }] });
  it.each([
    ['{ "facts": [', 'line 1: expected JSON'],
    ['null', 'expected an object with a list of `facts`'],
    ['{ "facts": {} }', 'expected an object with a list of `facts`'],
    ['{ "facts": [null] }', 'facts[0]: expected an object with id, kind, question and needles'],
    [JSON.stringify({ facts: [{ ...FACT, kind: 3 }] }), 'facts[0].kind: expected a text'],
    [withNeedles(undefined), NEEDLES],
    [withNeedles('alpha'), NEEDLES],
    [withNeedles(7), NEEDLES],
    [withNeedles(null), NEEDLES],
    [withNeedles([]), NEEDLES],
    [withNeedles(['alpha', 7]), NEEDLES],
    [withNeedles(['alpha', ' \n']), NEEDLES],
    [withNeedles(['\\n']), NEEDLES],
  ])('names the file and the place for %s', async (text, sentence) => {
    await converse();
    await write('facts/a.json', text);
    await expect(load()).rejects.toThrow(`${join(folder, 'facts', 'a.json')}: ${sentence}`);
  });

  it('names what is not there, or is no folder', async () => {
    await mkdir(join(folder, 'facts'));
    await expect(load()).rejects.toThrow(`${join(folder, 'facts')}: expected files NAME.json with facts, found none`);
    await write('facts/a.json', JSON.stringify({ facts: [FACT] }));
    await expect(load()).rejects.toThrow(`${join(folder, 'facts', 'a.json')}: expected its conversation in`);
    await rm(join(folder, 'facts'), { recursive: true });
    await write('facts', '');
    await expect(load()).rejects.toThrow(
      `${join(folder, 'facts')}: expected a folder of files NAME.json, found a file`,
    );
  });
});
