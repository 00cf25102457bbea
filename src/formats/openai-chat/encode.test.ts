import { describe, expect, it } from 'vitest';
import { withMessages } from '../../core/conversation/conversation.ts';
import { type Message, type Part, withParts } from '../../core/conversation/message.ts';
import type { SoundConversation } from '../../core/conversation/sound.ts';
import { openaiChat } from './index.ts';

/** Decodes, edits the parts of the last message, checks and encodes that message. */
function editLast(wire: readonly unknown[], edit: (parts: readonly Part[]) => readonly Part[]): unknown {
  const { conversation } = openaiChat.decode(wire);
  const last = conversation.messages.at(-1) as Message;
  const edited = withMessages(conversation, [...conversation.messages.slice(0, -1), withParts(last, edit(last.parts))]);
  expect(openaiChat.check(edited)).toEqual([]);
  return (openaiChat.encode(edited as SoundConversation) as readonly unknown[]).at(-1);
}

const first = { role: 'user', content: 'go' };
const call = {
  id: 'a',
  type: 'function',
  index: 0,
  function: { name: 'run', arguments: '{"long":"text"}', strict: true },
};

const shorten = (parts: readonly Part[]): readonly Part[] =>
  parts.map((part) =>
    part.type === 'tool-call'
      ? { type: 'tool-call', callId: part.callId, name: part.name, arguments: '{}', base: part.raw }
      : part,
  );

describe('encoding edited OpenAI chat', () => {
  it('keeps unknown keys of a shortened call and of its message', () => {
    expect(editLast([first, { role: 'assistant', content: 'ok', tool_calls: [call], extra: 1 }], shorten)).toEqual({
      role: 'assistant',
      content: 'ok',
      extra: 1,
      tool_calls: [{ id: 'a', type: 'function', index: 0, function: { name: 'run', arguments: '{}', strict: true } }],
    });
  });

  it('shortens a custom call and a deprecated function call in their own fields', () => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'sh', input: 'ls -la' } };
    expect(editLast([first, { role: 'assistant', tool_calls: [custom] }], shorten)).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sh', input: '{}' } }],
    });
    expect(
      editLast([first, { role: 'assistant', content: null, function_call: { name: 'f', arguments: '[1]' } }], shorten),
    ).toEqual({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{}' },
    });
  });

  it('writes null where the text beside calls is gone', () => {
    const noText = (parts: readonly Part[]): readonly Part[] => parts.filter((part) => part.type !== 'text');
    expect(editLast([first, { role: 'assistant', content: 'ok', tool_calls: [call] }], noText)).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [call],
    });
  });

  it('removes every reasoning field with the reasoning part', () => {
    const noReasoning = (parts: readonly Part[]): readonly Part[] => parts.filter((part) => part.type !== 'reasoning');
    const message = {
      role: 'assistant',
      content: 'ok',
      reasoning: 'a',
      reasoning_content: 'a',
      reasoning_details: [{ text: 'a' }],
    };
    expect(editLast([first, message], noReasoning)).toEqual({ role: 'assistant', content: 'ok' });
  });

  it('keeps id, name and unknown keys of an edited tool message', () => {
    const wire = [
      first,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', name: 'run', content: 'long', cache: 1 },
    ];
    const stub = (): readonly Part[] => [
      { type: 'tool-result', callId: 'a', content: [{ type: 'text', text: 'stub' }], isError: false },
    ];
    expect(editLast(wire, stub)).toEqual({ role: 'tool', tool_call_id: 'a', name: 'run', content: 'stub', cache: 1 });
  });

  it('keeps the object around the messages, and takes a new message as plain text', () => {
    const wire = { model: 'm', tools: [], messages: [first] };
    const { conversation } = openaiChat.decode(wire);
    const handoff: Message = { role: 'user', parts: [{ type: 'text', text: 'So far: nothing.' }] };
    const encoded = openaiChat.encode(withMessages(conversation, [handoff]) as SoundConversation);
    expect(encoded).toEqual({ model: 'm', tools: [], messages: [{ role: 'user', content: 'So far: nothing.' }] });
  });
});

describe('checking OpenAI chat', () => {
  const rules = (messages: readonly Message[]): readonly string[] =>
    openaiChat.check({ format: 'openai-chat', messages }).map((issue) => issue.rule);
  const text = (role: Message['role'], words: string): Message => ({ role, parts: [{ type: 'text', text: words }] });
  const calls: Message = {
    role: 'assistant',
    parts: [{ type: 'tool-call', callId: 'a', name: 'run', arguments: '{}' }],
  };
  const result: Message = { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', content: [], isError: false }] };

  it('finds every broken rule', () => {
    expect(rules([text('user', 'x'), calls, text('user', 'y')])).toEqual(['CHAT-1']);
    expect(rules([text('user', 'x'), result])).toEqual(['CHAT-2']);
    expect(rules([text('user', 'x'), calls, result, result])).toEqual(['CHAT-2']);
    expect(rules([text('user', '')])).toEqual(['CHAT-4']);
    expect(rules([{ role: 'assistant', parts: [{ type: 'reasoning', text: 'hm', bound: false }] }])).toEqual([
      'CHAT-4',
    ]);
    expect(rules([text('user', 'x'), text('system', 'y')])).toEqual(['CHAT-5']);
  });

  it('accepts calls in flight', () => {
    expect(rules([text('user', 'x'), calls])).toEqual([]);
  });
});
