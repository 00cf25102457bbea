/** Whatever a file holds: one sentence that names the file, the place and what was expected, exit code 2, and nothing written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formats } from '../../src/formats/index.ts';
import { cpuMsOf } from '../work/cpu-time.ts';
import { precis } from './fake-world.ts';
import { chatSession, jsonl } from './sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'precis-bad-'));
afterAll(() => rmSync(folder, { recursive: true }));

const user = { role: 'user', content: 'Go on.' };
const call = (id: string, text: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name: 'run', arguments: text },
});
const calling = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id: string, content: unknown = 'done') => ({ role: 'tool', tool_call_id: id, content });
const json = (value: unknown): string => JSON.stringify(value);
const utf16 = (text: string): Uint8Array => Buffer.from(text, 'utf16le');

async function sentenceFor(content: string | Uint8Array, ...flags: readonly string[]): Promise<string> {
  const { code, out, err, written } = await precis(['compact', 's.json', '--target', '400', '--out', 'b', ...flags], {
    files: { 's.json': content },
  });
  expect({ code, out, written }).toEqual({ code: 2, out: '', written: {} });
  expect(err).toMatch(/^precis: .*[^\n]\n$/);
  expect(err.trimEnd()).not.toContain('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach a terminal
  expect(err.trimEnd()).not.toMatch(/[\u0000-\u001f]/);
  return err.trimEnd().slice('precis: '.length);
}

describe('refuses with one sentence', () => {
  const shape = 'expected an array of messages or an object with a `messages`, `input` or `contents` array';
  const role = 'expected `role` to be one of system, developer, user, assistant, tool';
  test.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 's.json: expected a conversation in JSON or JSONL, got an empty file'],
    ['white space', ' \n\t ', 's.json: expected a conversation in JSON or JSONL, got an empty file'],
    ['prose', 'hello', 's.json: line 1, column 1: expected a JSON value, got `h`: not valid JSON'],
    [
      'a control character',
      '\u0001',
      's.json: line 1, column 1: expected a JSON value, got the character U+0001: not valid JSON',
    ],
    [
      'JSON that is cut off',
      `[${json(user)},\n {"role":"user","content":"b`,
      's.json: line 2, column 29: expected the end of a string, but the text ends here: the JSON is cut off',
    ],
    [
      'a line that is cut off',
      `${jsonl([user, user])}{"role":"user","con`,
      's.json: line 3, column 20: expected the end of a string, but the text ends here: the JSON is cut off',
    ],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]), 's.json: expected text in UTF-8, got a binary file'],
    ['UTF-16', utf16(`\ufeff${json([user])}`), 's.json: expected text in UTF-8, got UTF-16; save it as UTF-8'],
    ['UTF-16 without a mark', utf16(json([user])), 's.json: expected text in UTF-8, got UTF-16; save it as UTF-8'],
    ['Latin-1', Buffer.from('["h\xe9"]', 'latin1'), 's.json: line 1: expected text in UTF-8, got bytes that are not'],
    ['strings', '["a","b"]', 's.json: line 1, column 2: message 1: expected an object with a `role`, got `a` (string)'],
    [
      'a list of lists',
      json([[user], [user]]),
      's.json: line 1, column 2: message 1: expected an object with a `role`, got an array',
    ],
    ['no messages', '{"foo":1}', `s.json: line 1, column 1: ${shape}, got an object with \`foo\``],
    [
      'messages that are no list',
      '{"messages":{"a":1}}',
      `s.json: line 1, column 1: ${shape}, got \`messages\` with an object with \`a\``,
    ],
    [
      'messages that are null',
      '{"messages":null}',
      `s.json: line 1, column 1: ${shape}, got \`messages\` with \`null\``,
    ],
    ['an empty list', '[]', 's.json: expected at least one message, got none'],
    ['no role', '[{"content":"a"}]', `s.json: line 1, column 2: message 1: ${role}, got nothing`],
    [
      'a role nobody knows',
      json([user, { role: 'robot', content: 'a' }]),
      `s.json: line 1, column 37: message 2: ${role}, got \`robot\` (string)`,
    ],
    [
      'a number as content',
      '[{"role":"user","content":5}]',
      's.json: line 1, column 2: message 1: expected `content` to be a string, an array of parts or null, got `5` (number)',
    ],
    [
      'a result of no call',
      json([user, { role: 'tool', content: 'x' }]),
      's.json: line 1, column 37: message 2: expected `tool_call_id` to be a string, got nothing',
    ],
    [
      'calls that are no list',
      json([user, { role: 'assistant', content: null, tool_calls: {} }]),
      's.json: line 1, column 37: message 2: expected `tool_calls` to be an array, got an object',
    ],
    [
      'arguments that are an object',
      json([user, calling(call('a', { x: 1 })), result('a')]),
      's.json: line 1, column 37: message 2: expected `tool_calls[0].function.arguments` to be a string, got an object',
    ],
  ])('%s', async (_what, content, sentence) => {
    expect(await sentenceFor(content)).toBe(sentence);
  });

  test('a directory and a missing file', async () => {
    const missing = join(folder, 'missing.json');
    const refused = (err: string) => ({ code: 2, out: '', err: `precis: ${err}\n` });
    expect(await precis(['compact', folder])).toMatchObject(
      refused(`${folder}: expected a session file, got a directory`),
    );
    expect(await precis(['compact', missing])).toMatchObject(
      refused(`${missing}: expected a session file, but there is none of that name`),
    );
  });

  test('a format nobody knows', async () => {
    expect(await sentenceFor(json([user]), '--from', 'morse')).toBe(
      `expected \`--from\` to be one of ${formats.map(({ id }) => id).join(', ')}, got \`morse\` (string)`,
    );
  });

  test('a target beyond the window', async () => {
    expect(await sentenceFor(json(chatSession()), '--window', '1000', '--target', '5000')).toMatch(
      /^expected `--target` to be an integer from 1 to 998 .*, got `5000` \(number\)$/,
    );
  });
});

describe('logs of agents', () => {
  test('without a message are named', async () => {
    const start = { type: 'session.start', data: { sessionId: 's' } };
    expect(await sentenceFor(jsonl([start, { type: 'user.message', data: {} }]))).toBe(
      's.json: expected at least one message with content, got none, though this looks like a log of Copilot CLI',
    );
  });

  test('are told from lists of messages', async () => {
    const plain = [
      json({ sessionId: 's', messages: [{ type: 'x', ...user }] }),
      json([{ ...user, uuid: 'u', sessionId: 's', timestamp: 't' }]),
      json({ input: ['x'], contents: 'y', trajectory: [], history: [], messages: [user] }),
      jsonl([{ type: 'message', ...user }, user]),
    ];
    for (const text of plain) {
      const { code, err } = await precis(['compact', 's', '--target', '400'], { files: { s: text } });
      expect({ text, code, err }).toEqual({ text, code: 0, err: '' });
    }
  });
});

describe('mends without guessing, and says so', () => {
  test.each<[string, readonly unknown[], readonly string[]]>([
    ['an orphan result', [user, result('zz'), user], ['message 2: tool result `zz` has no call and was dropped']],
    [
      'a result before its call',
      [user, result('a'), calling(call('a')), user],
      [
        'message 2: tool result `a` stands before its call and was dropped',
        'message 3: tool call `a` has no result and was removed',
      ],
    ],
    [
      'two calls of one id',
      [user, calling(call('a'), call('a')), result('a'), result('a', 'again'), user],
      [
        'message 2: second tool call with the id `a` dropped',
        'message 4: tool result `a` is a second answer to one call and was dropped',
      ],
    ],
    [
      'content that is null or missing',
      [user, { role: 'assistant', content: null }, { role: 'assistant' }, user],
      ['message 2: assistant message without content dropped', 'message 3: assistant message without content dropped'],
    ],
  ])('%s', async (_what, messages, notes) => {
    const files = { s: json(messages) };
    const asJson = await precis(['compact', 's', '--target', '400', '--out', 'b', '--json'], { files });
    expect(asJson.code).toBe(0);
    expect((JSON.parse(asJson.out) as { notes: unknown }).notes).toEqual(notes);
    expect(asJson.err).toBe(notes.map((note) => `note: ${note}\n`).join(''));
    const human = await precis(['compact', 's', '--target', '400', '--out', 'b'], { files });
    for (const note of notes) expect(human.out).toContain(`\nnote: ${note}\n`);
    expect(human.out).toContain('Written to b');
    // What is written needs no more mending.
    const again = await precis(['compact', 'b', '--target', '400', '--json'], {
      files: { b: human.written['b'] ?? '' },
    });
    expect((JSON.parse(again.out) as { notes: unknown }).notes).toEqual([]);
  });

  test('arguments that are no JSON are left as they are', async () => {
    const files = { s: json([user, calling(call('a', '{oops')), result('a', 'word '.repeat(2000)), user, user]) };
    const { code, written } = await precis(['compact', 's', '--target', '400', '--out', 'b'], { files });
    expect(code).toBe(0);
    expect(() => JSON.parse(written['b'] ?? '') as unknown).not.toThrow();
  });

  test('shows some notes and counts the others', async () => {
    const orphans = Array.from({ length: 30 }, (_, at) => result(`x${at}`));
    const { out } = await precis(['compact', 's', '--target', '400'], { files: { s: json([user, ...orphans, user]) } });
    expect(out.match(/^note: message/gm)).toHaveLength(10);
    expect(out).toContain('note: and 20 more; `--json` lists them all');
  });
});

describe('extremes', () => {
  const long = 'word and more '.repeat(800);

  test.each([100, 10_000])('content nested %i levels deep is copied as it is', async (depth) => {
    const deep = `{"type":"strange","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const text = `[${json(user)},{"role":"assistant","content":"${long}"},{"role":"user","content":[${deep},{"type":"text","text":"Look."}]}]`;
    const { code, err, written } = await precis(['compact', 's', '--target', '600', '--out', 'b'], {
      files: { s: text },
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(written['b']).toContain(deep);
  });

  test.each([100, 10_000])('a tool input nested %i levels deep works or is refused', async (depth) => {
    const input = `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const text = `[${json(user)},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"n","input":${input}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]},{"role":"assistant","content":"${long}"},${json(user)}]`;
    const { code, err } = await precis(['compact', 's', '--target', '600'], { files: { s: text } });
    if (code !== 0)
      expect(err).toMatch(/^precis: s: line 1, column \d+: message 2: expected `content\[0\]\.input` to be [^\n]+\n$/);
  });

  test('lone surrogates survive', async () => {
    const text = `[{"role":"user","content":"a\\ud800b"},{"role":"assistant","content":"${'w\\udc00 '.repeat(3000)}"},{"role":"user","content":"\\udfff now"}]`;
    const { code, written } = await precis(['compact', 's', '--target', '600', '--out', 'b'], { files: { s: text } });
    expect(code).toBe(0);
    expect(written['b']).toContain('"\\udfff now"');
    expect(() => JSON.parse(written['b'] ?? '') as unknown).not.toThrow();
  });

  test.each([
    ['one letter', 'a'.repeat(1_000_000)],
    ['Chinese', '数据库连接失败请检查配置文件'.repeat(24_000)],
    [
      'Chinese without repetition',
      Array.from({ length: 340_000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join(''),
    ],
  ])('a megabyte of %s on one line is done in a second', async (_what, line) => {
    const files = {
      s: json([user, calling(call('a')), result('a', line), { role: 'assistant', content: line }, user]),
    };
    await precis(['compact', 's', '--target', '600'], { files: { s: json(chatSession()) } });
    const ms = await cpuMsOf(async () => {
      const { code } = await precis(['compact', 's', '--target', '600', '--json'], { files });
      expect(code).toBe(0);
    });
    // Twice a megabyte; three times as long as it takes, for slow machines.
    expect(ms).toBeLessThan(6000);
  });

  test('three megabytes in a thousand steps', async () => {
    const { code, out } = await precis(['compact', 's', '--target', '8000', '--json'], {
      files: { s: json(chatSession(1000, 60)) },
    });
    expect(code).toBe(0);
    expect((JSON.parse(out) as { tokens: { after: number } }).tokens.after).toBeLessThanOrEqual(8000);
  });
});
