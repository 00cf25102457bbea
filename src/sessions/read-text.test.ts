import { describe, expect, it } from 'vitest';
import { type Conversation, withMessages } from '../core/conversation/conversation.ts';
import { type Message, type Part, withParts, withText } from '../core/conversation/message.ts';
import type { SoundConversation } from '../core/conversation/sound.ts';
import { PrecisError } from '../core/errors.ts';
import { formats } from '../formats/detect.ts';
import type { SessionDocument } from './document.ts';
import { readSession } from './read-text.ts';

const read = (text: string): SessionDocument => readSession(text, { name: 'session.json' });

/** The text of the document with other messages. */
function rewrite(text: string, edit: (messages: readonly Message[]) => readonly Message[]): string {
  const document = read(text);
  const edited: Conversation = withMessages(document.conversation, edit(document.conversation.messages));
  expect(document.format.check(edited)).toEqual([]);
  return document.write(edited as SoundConversation);
}

const replaceSecond = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message, index) => (index === 1 ? withParts(message, [{ type: 'text', text: 'short' }]) : message));

const compact =
  '[{"role":"user","content":"h\\u00e9","n":1e5,"big":12345678901234567890},{"role":"assistant","content":"long"},{"role":"user","content":"\\/end"}]\n';

const pretty = `{
  "model": "m",
  "messages": [
    {
      "role": "user",
      "content": "h\\u00e9",
      "n": 1.0
    },
    {
      "role": "assistant",
      "content": "long"
    },
    { "role": "user", "content": "a ] } \\" , b" }
  ],
  "seed": 1e2
}
`;

const lines =
  '{"role":"user","content":"a","n":1e5}\r\n\r\n{"role":"assistant","content":"long"}\r\n{"role":"user", "content":"c"}\r\n';

describe('readSession', () => {
  it.each([
    ['array', compact],
    ['array', ` \n${compact}`],
    ['object', pretty],
    ['object', `\ufeff${pretty}`],
    ['object', JSON.stringify({ messages: [{ role: 'user', content: 'x' }] })],
    ['jsonl', lines],
    ['jsonl', `\ufeff${lines}`],
    ['jsonl', '{"role":"user","content":"x"}\n'],
  ])('reads %s and writes it back byte for byte: %j', (shape, text) => {
    const document = read(text);
    expect(document.shape).toBe(shape);
    expect(document.notes).toEqual([]);
    expect(document.write(document.conversation as SoundConversation)).toBe(text);
  });

  it('changes nothing but the edited message of an array', () => {
    expect(rewrite(compact, replaceSecond)).toBe(compact.replace('"long"', '"short"'));
  });

  it('changes nothing but the edited message of a printed object', () => {
    expect(rewrite(pretty, replaceSecond)).toBe(pretty.replace('"long"', '"short"'));
  });

  it('changes nothing but the edited line, apart from blank ones', () => {
    expect(rewrite(lines, replaceSecond)).toBe(lines.replace('"long"', '"short"').replace('\r\n\r\n', '\r\n'));
  });

  it('prints without indentation where the document has line breaks alone', () => {
    const text =
      '{\n"messages": [\n{\n"role": "user",\n"content": "a"\n},\n{\n"role": "assistant",\n"content": "long"\n}\n]\n}';
    expect(rewrite(text, replaceSecond)).toBe(text.replace('"long"', '"short"'));
  });

  it('writes fewer and new messages', () => {
    const handoff: Message = { role: 'user', parts: [{ type: 'text', text: 'So far.' }] };
    expect(rewrite(compact, (messages) => [handoff, ...messages.slice(2)])).toBe(
      '[{"role":"user","content":"So far."},{"role":"user","content":"\\/end"}]\n',
    );
    expect(rewrite('[ {"role":"user","content":"a"} ]', (messages) => [...messages, handoff])).toBe(
      '[ {"role":"user","content":"a"}, {"role":"user","content":"So far."} ]',
    );
  });

  it('takes the last of two `messages` keys, as JSON does', () => {
    const text =
      '{"messages":[{"role":"user","content":"no"}],"m\\u0065ssages":[{"role":"user","content":"1"},{"role":"assistant","content":"2"}]}';
    expect(rewrite(text, replaceSecond)).toBe(text.replace('"2"', '"short"'));
  });

  it('writes back what was mended', () => {
    const document = read(
      '[{"role":"user","content":"a","n":1e5},{"role":"tool","tool_call_id":"x","content":"orphan"}]',
    );
    expect(document.notes).toEqual([{ message: 1, text: 'tool result `x` has no call and was dropped' }]);
    expect(document.write(document.conversation as SoundConversation)).toBe('[{"role":"user","content":"a","n":1e5}]');
  });

  it.each([
    '{"system":"old","messages":[{"role":"user","content":"a"}],"n":1e5}',
    '{"messages":[{"role":"user","content":"a"}],"system":"old","n":1e5}',
  ])('edits a system prompt in its place: %s', (text) => {
    const edit = ([, ...rest]: readonly Message[]): readonly Message[] => [
      { role: 'system', parts: [{ type: 'text', text: 'new' }], base: 'old' },
      ...rest,
    ];
    expect(rewrite(text, edit)).toBe(text.replace('"old"', '"new"'));
  });

  it('reads in the format it is told', () => {
    expect(readSession(compact, { name: 'x', format: 'anthropic' }).format.id).toBe('anthropic');
  });
});

describe('readSession of requests that call their messages otherwise', () => {
  const item = '{"role":"user","content":"a","n":1e5}';
  const call = '{"type":"function_call","call_id":"c","name":"f","arguments":"{}","big":12345678901234567890}';
  const output = '{"type":"function_call_output","call_id":"c","output":"2"}';
  const parts = '{"role":"user","parts":[{"text":"a"}],"n":1e5}';
  const said = '{"role":"model","parts":[{"text":"2"}]}';
  /** The last message with another text, its own or that of its result. */
  const replaceLast = (messages: readonly Message[]): readonly Message[] => {
    const last = messages.at(-1) as Message;
    const parts = last.parts.map((part): Part => {
      if (part.type === 'text') return withText(part, 'short');
      return part.type === 'tool-result'
        ? { ...part, content: [{ type: 'text', text: 'short' }], raw: undefined, base: part.raw }
        : part;
    });
    return [...messages.slice(0, -1), withParts(last, parts)];
  };

  it.each([
    ['openai-responses', `{"n":1e5,"input":[ ${item}, ${call}, ${output} ],"instructions":"old"}`],
    ['openai-responses', `[${item},${call},${output}]`],
    ['openai-responses', `${item}\n${call}\n${output}\n`],
    ['openai-responses', '{"input":"hello","n":1e5}'],
    ['gemini', `{"systemInstruction":{"parts":[{"text":"old"}]},"contents":[${parts}, ${said}],"n":1e5}`],
    ['gemini', `[${parts},${said}]`],
  ])('gives back the bytes of what is untouched, for %s: %s', (id, text) => {
    const document = read(text);
    expect(document.format.id).toBe(id);
    expect(document.write(document.conversation as SoundConversation)).toBe(text);
    if (text.includes('"hello"')) return;
    const edited = rewrite(text, replaceLast);
    expect(edited).toContain(id === 'gemini' ? parts : item);
    if (id !== 'gemini') expect(edited).toContain(call);
    expect(edited).toBe(text.replace('"2"', '"short"'));
  });

  it.each([
    '{"instructions":"old","input":[{"role":"user","content":"a"}],"n":1e5}',
    '{"contents":[{"parts":[{"text":"a"}]}],"n":1e5,"system_instruction":"old"}',
  ])('edits a prompt in its place: %s', (text) => {
    const edit = ([, ...rest]: readonly Message[]): readonly Message[] => [
      { role: 'system', parts: [{ type: 'text', text: 'new' }], base: 'old' },
      ...rest,
    ];
    expect(rewrite(text, edit)).toBe(text.replace('"old"', '"new"'));
  });

  it('prints the document anew where an edit has no place in it', () => {
    const more = (messages: readonly Message[]): readonly Message[] => [
      ...messages,
      { role: 'assistant', parts: [{ type: 'text', text: 'hi' }] },
    ];
    expect(JSON.parse(rewrite('{"input":"hello","n":1}', more))).toMatchObject({
      n: 1,
      input: [{ content: 'hello' }, {}],
    });
    expect(() => read('{"input":[]}')).toThrow('expected at least one message, got none');
    expect(() => read('{"contents":7}')).toThrow('got `contents` with a number');
  });
});

describe('readSession on bad input', () => {
  it.each([
    ['', 'session.json: expected a conversation in JSON or JSONL, got an empty file'],
    ['\ufeff \n', 'session.json: expected a conversation in JSON or JSONL, got an empty file'],
    ['hello', 'session.json: line 1, column 1: expected a JSON value, got `h`: not valid JSON'],
    ['[]', 'session.json: expected at least one message, got none'],
    ['{"messages":[]}', 'session.json: expected at least one message, got none'],
    ['[{"role":"user","content":""}]', 'session.json: expected at least one message with content, got none'],
    [
      '{"a":1,"b":2}',
      'session.json: line 1, column 1: expected an array of messages or an object with a `messages`, `input` or `contents` array, got an object with `a`, `b`',
    ],
    [
      '7',
      'session.json: line 1, column 1: expected an array of messages or an object with a `messages`, `input` or `contents` array, got a number',
    ],
    [
      '[\n {"role":"user",\n  "content":"abc',
      'session.json: line 3, column 17: expected the end of a string, but the text ends here: the JSON is cut off',
    ],
    [
      '[\n {"role":"user"},\n',
      'session.json: line 2, column 18: expected a JSON value, but the text ends here: the JSON is cut off',
    ],
    [
      '[{"role":"user" "content":"a"}]',
      'session.json: line 1, column 17: expected `,` or `}`, got `"`: not valid JSON',
    ],
    [
      '[\n  {"role":"user","content":"a"},\n  {"role":"robot","content":"b"}\n]',
      'session.json: line 3, column 3: message 2: expected `role` to be one of system, developer, user, assistant, tool, got `robot` (string)',
    ],
    [
      '{"role":"user","content":"a"}\n{"role":"user", content}\n',
      'session.json: line 2, column 17: expected a key in double quotes, got `c`: not valid JSON',
    ],
    [
      '{"role":"user","content":"a"}\n\n{"role":"user","con',
      'session.json: line 3, column 20: expected the end of a string, but the text ends here: the JSON is cut off',
    ],
    [
      '{"role":"user","content":"a"}\n[1]\n',
      'session.json: line 2, column 1: expected one message a line, got an array',
    ],
    [
      '{"messages":[]}\n{"messages":[]}\n',
      'session.json: line 1, column 1: expected one message a line, got a whole conversation',
    ],
    [
      '{"role":"user","content":"a"}\n{"role":"tool","content":"a"}\n',
      'session.json: line 2, column 1: message 2: expected `tool_call_id` to be a string, got nothing',
    ],
    [
      '{"system":3,"messages":[{"role":"user","content":[{"type":"tool_result"}]}]}',
      'session.json: expected `system` to be a string or an array of blocks, got `3` (number)',
    ],
  ])('%j', (text, message) => {
    try {
      read(text);
      expect.unreachable('it was accepted');
    } catch (error) {
      expect(PrecisError.is(error)).toBe(true);
      expect((error as PrecisError).message).toBe(message);
      expect((error as PrecisError).code).toBe('bad-input');
    }
  });

  it('names the known formats when asked for another', () => {
    expect(() => readSession(compact, { name: 'x', format: 'morse' })).toThrow(
      `Expected \`format\` to be one of ${formats.map((format) => format.id).join(', ')}, got \`morse\` (string)`,
    );
  });
});
