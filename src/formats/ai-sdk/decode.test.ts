import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../core/conversation/message.ts';
import type { PrecisError } from '../../core/errors.ts';
import { aiSdk } from './index.ts';

const first = { role: 'user', content: 'go' };
const call = (id: string, more: object = {}): object => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'run',
  input: { a: 1 },
  ...more,
});
const result = (id: string, output: unknown = { type: 'text', value: 'ok' }): object => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'run',
  output,
});
const partsOf = (content: unknown, role = 'user'): readonly Part[] =>
  aiSdk.decode([first, { role, content }]).conversation.messages[1]?.parts ?? [];
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, item: unknown) => (key === 'raw' || key === 'base' ? undefined : item)));
const mended = (wire: readonly unknown[]): { notes: readonly string[]; messages: readonly Message[] } => {
  const { conversation, notes } = aiSdk.decode(wire);
  expect(aiSdk.check(conversation)).toEqual([]);
  return { notes: notes.map((note) => `${note.message}: ${note.text}`), messages: conversation.messages };
};

describe('decoding messages of the AI SDK', () => {
  it.each([
    [{ type: 'text', value: 'fine' }, 'fine', false],
    [{ type: 'error-text', value: 'bad' }, 'bad', true],
    [{ type: 'json', value: { rows: [1] } }, '{"rows":[1]}', false],
    [{ type: 'error-json', value: null }, 'null', true],
    [{ type: 'execution-denied', reason: 'no' }, 'no', true],
  ])('reads the output %j', (output, text, isError) => {
    const { conversation } = aiSdk.decode([
      first,
      { role: 'assistant', content: [call('a')] },
      { role: 'tool', content: [result('a', output)] },
    ]);
    expect(plain(conversation.messages[2]?.parts)).toEqual([
      { type: 'tool-result', callId: 'a', content: [{ type: 'text', text }], isError },
    ]);
  });

  it('reads data of every shape, and keeps bytes as they are', () => {
    const png = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'), (c) =>
      c.charCodeAt(0),
    );
    const parts = partsOf([
      { type: 'image', image: png },
      { type: 'image', image: 'https://shop.example/a.png' },
      { type: 'image', image: new URL('https://shop.example/b.png') },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png.buffer } },
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: Buffer.from('abc') },
      { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'four' } },
      { type: 'file', mediaType: 'application/pdf', data: { openai: 'file-1' } },
      { type: 'file', mediaType: 'application/pdf', data: 'data:application/pdf;base64,AAAA' },
    ]);
    expect(plain(parts)).toMatchObject([
      { type: 'image', width: 1, height: 1, url: null },
      { type: 'image', url: 'https://shop.example/a.png' },
      { type: 'image', url: 'https://shop.example/b.png' },
      { type: 'image', width: 1, height: 1, mediaType: 'image/png' },
      { type: 'file', name: 'a.pdf', bytes: 3 },
      { type: 'file', bytes: 4 },
      { type: 'file', bytes: 0 },
      { type: 'file', bytes: 3 },
    ]);
    expect(parts[0]?.raw).toHaveProperty('image', png);
  });

  it('counts the size of bytes in a part it does not know, not every byte', () => {
    const [part] = partsOf([{ type: 'hologram', depth: new Uint8Array(1_000_000), buffer: Buffer.alloc(5) }]);
    expect(part).toMatchObject({
      type: 'opaque',
      kind: 'hologram',
      json: '{"type":"hologram","depth":"[1000000 bytes]","buffer":"[5 bytes]"}',
    });
  });

  it('binds reasoning that a provider signed', () => {
    const reasoning = (providerOptions?: object): object => ({ type: 'reasoning', text: 'hm', providerOptions });
    const bound = partsOf(
      [
        reasoning(),
        reasoning({ openai: { itemId: 'rs', reasoningEncryptedContent: 'x' } }),
        reasoning({ anthropic: { signature: 's' } }),
        reasoning({ bedrock: { redactedData: 's' } }),
        { type: 'text', text: 'x' },
      ],
      'assistant',
    ).map((part) => part.type === 'reasoning' && part.bound);
    expect(bound).toEqual([false, false, true, true, false]);
  });

  it('leaves calls of the provider and their results alone', () => {
    const content = [call('s', { providerExecuted: true }), result('s'), { type: 'text', text: 'found' }];
    expect(partsOf(content, 'assistant').map((part) => part.type)).toEqual(['opaque', 'opaque', 'text']);
    const { notes } = mended([
      first,
      { role: 'assistant', content: [call('s', { providerExecuted: true })] },
      { role: 'tool', content: [result('s')] },
    ]);
    expect(notes).toEqual([]);
  });

  it('reads an input that is no object', () => {
    const text = (input: unknown): unknown =>
      (partsOf([call('a', { input })], 'assistant')[0] as { readonly arguments: string }).arguments;
    expect([text('not json'), text('{"a":1}'), text([1]), text(undefined)]).toEqual([
      'not json',
      '"{\\"a\\":1}"',
      '[1]',
      '',
    ]);
  });

  it('keeps approvals with their call, and drops them with it', () => {
    const request = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' };
    const response = { type: 'tool-approval-response', approvalId: 'p', approved: true };
    const sound = [
      first,
      { role: 'assistant', content: [call('a'), request] },
      { role: 'tool', content: [response] },
      { role: 'tool', content: [result('a')] },
      first,
    ];
    expect(mended(sound).notes).toEqual([]);
    expect(mended([...sound.slice(0, 3), first])).toMatchObject({
      notes: [
        '1: tool call `a` has no result and was removed',
        '1: approval request `p` has no call and was dropped',
        '2: approval response `p` has no request and was dropped',
        '2: tool message without content dropped',
      ],
      messages: [{}, { parts: [{ text: '[tool call without a result removed]' }] }, { role: 'user' }],
    });
    // Still to be answered, or just answered: both are in flight.
    expect(mended(sound.slice(0, 2)).notes).toEqual([]);
    expect(mended(sound.slice(0, 3)).notes).toEqual([]);
  });

  it('mends what does not pair, and says so', () => {
    const { notes, messages } = mended([
      first,
      { role: 'user', content: '' },
      { role: 'tool', content: [result('ghost')] },
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'tool', content: [result('a')] },
      first,
    ]);
    expect(notes).toEqual([
      '1: user message without content dropped',
      '2: tool result `ghost` has no call and was dropped',
      '3: tool call `b` has no result and was removed',
    ]);
    expect(messages).toHaveLength(4);
  });

  it.each<[string, unknown]>([
    ['message 2: expected `role` to be one of system, user, assistant, tool', { role: 'robot', content: 'x' }],
    ['message 2: expected `content` to be a string, got an array', { role: 'system', content: [] }],
    ['message 2: expected `content` to be a string or an array of parts', { role: 'user', content: 4 }],
    ['message 2: expected `content` to be an array of parts', { role: 'tool', content: 'x' }],
    ['message 2: expected `content[0].type` to be a string', { role: 'user', content: [{}] }],
    ['message 2: expected `content[0].toolCallId`', { role: 'assistant', content: [{ type: 'tool-call' }] }],
    ['message 2: expected `content[0].output`', { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a' }] }],
    ['message 2: expected `content[0].output.value`', { role: 'tool', content: [result('a', { type: 'text' })] }],
    ['message 2: expected an object with a `role`', 5],
  ])('names message and field: %s', (sentence, message) => {
    let error: PrecisError | null = null;
    try {
      aiSdk.decode([first, message]);
    } catch (thrown) {
      error = thrown as PrecisError;
    }
    expect(error?.message).toContain(sentence);
    expect(error?.data['message']).toBe(1);
  });
});
