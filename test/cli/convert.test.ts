import { describe, expect, test } from 'vitest';
import { formatById } from '../../src/formats/index.ts';
import { fixture, precis } from './fake-world.ts';
import { chatSession, jsonl } from './sample.ts';

const files = { 'a.json': JSON.stringify(chatSession()), 'taken.json': '[]' };
const lossy = JSON.stringify({
  model: 'm',
  messages: [
    { role: 'user', name: 'ana', content: 'hello' },
    { role: 'assistant', content: 'hi', reasoning_content: 'hm' },
  ],
});

describe('precis convert', () => {
  test.each(['anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'langchain'])(
    'writes a session that is then read as %s',
    async (to) => {
      const { code, out, err, written } = await precis(['convert', 'a.json', '--to', to, '--out', 'b.json'], { files });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(
        new RegExp(`^a\\.json: openai-chat to ${to}, \\d+ messages, nothing is lost\\nWritten to b\\.json\\.\\n$`),
      );
      const text = written['b.json'] ?? '';
      expect(formatById(to)?.decode(JSON.parse(text)).notes).toEqual([]);
      const back = await precis(['convert', 'b.json', '--to', 'openai-chat', '--out', '-'], {
        files: { 'b.json': text },
      });
      expect(back.code).toBe(0);
      expect(JSON.parse(back.out)).toHaveLength(chatSession().length);
    },
  );

  test('takes the log of an agent', async () => {
    const log = jsonl([
      { type: 'session.start', data: { sessionId: 's' } },
      { type: 'user.message', data: { content: 'Fix the limiter.' } },
      { type: 'assistant.message', data: { content: 'Done.' } },
    ]);
    const { code, out } = await precis(['convert', '-', '--to', 'gemini', '--out', '-'], { stdin: log });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([
      { role: 'user', parts: [{ text: 'Fix the limiter.' }] },
      { role: 'model', parts: [{ text: 'Done.' }] },
    ]);
  });

  test('says what is lost, sentence by sentence, on standard error', async () => {
    const { code, out, err, written } = await precis(['convert', '-', '--to', 'anthropic'], { stdin: lossy });
    expect(code).toBe(0);
    expect(err).toBe(
      [
        'of the request around the messages, `model` is left out',
        'message 1: `name` is left out',
        'message 2: Anthropic takes no reasoning but its own, signed; it is left out',
        '',
      ].join('\n'),
    );
    expect(out).toBe(
      'standard input: openai-chat to anthropic, 2 messages, 3 things are lost\nNothing was written; add `--out FILE` to keep the result.\n',
    );
    expect(written).toEqual({});
  });

  test('prints losses as JSON, and mended things too', async () => {
    const { code, out, err, written } = await precis(
      ['convert', '-', '--to', 'ai-sdk', '--from', 'openai-chat', '--json', '--out', 'b.json'],
      {
        stdin: JSON.stringify([
          { role: 'user', content: '' },
          { role: 'user', name: 'ana', content: 'hi' },
        ]),
      },
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toEqual({
      from: 'openai-chat',
      to: 'ai-sdk',
      notes: [{ message: 0, text: 'user message without content dropped' }],
      losses: [{ message: 0, text: '`name` is left out' }],
    });
    expect(JSON.parse(written['b.json'] ?? '')).toEqual([{ role: 'user', content: 'hi' }]);
  });

  test('overwrites nothing unless it is told to', async () => {
    const args = ['convert', 'a.json', '--to', 'langchain', '--out', 'taken.json'];
    const refused = await precis(args, { files });
    expect([refused.code, refused.written]).toEqual([2, {}]);
    expect(refused.err).toContain('overwrite it with `--force`');
    expect(Object.keys((await precis([...args, '--force'], { files })).written)).toEqual(['taken.json']);
  });

  test.each<[string, readonly string[], string]>([
    ['no format', ['a.json'], "required option '--to <format>' not specified"],
    ['an unknown format', ['a.json', '--to', 'morse'], 'precis: expected `--to` to be one of openai-chat, anthropic'],
    ['an unknown source', ['a.json', '--to', 'anthropic', '--from', 'x'], 'expected `--from` to be one of'],
    ['no file', ['none.json', '--to', 'anthropic'], 'there is none of that name'],
    [
      'two things for standard output',
      ['a.json', '--to', 'anthropic', '--json', '--out', '-'],
      'both want standard output',
    ],
    [
      'the wrong format',
      ['a.json', '--to', 'anthropic', '--from', 'langchain'],
      'message 1: expected a message of LangChain',
    ],
  ])('exits with 2 for %s', async (_what, args, sentence) => {
    const { code, err, written } = await precis(['convert', ...args], { files });
    expect({ code, written }).toEqual({ code: 2, written: {} });
    expect(err).toContain(sentence);
  });

  test.each(['rate-limiter/session.json', 'flight-change/session.json', 'incident/session.jsonl'])(
    'takes the session %s to every format',
    async (name) => {
      for (const to of ['openai-chat', 'anthropic', 'ai-sdk', 'langchain']) {
        const { code, out } = await precis(['convert', fixture(name), '--to', to, '--out', '-']);
        expect(code).toBe(0);
        expect(formatById(to)?.decode(JSON.parse(out)).notes).toEqual([]);
      }
    },
  );
});
