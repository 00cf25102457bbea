import { describe, expect, it } from 'vitest';
import { editParts, encodeWith } from '../../../test/formats/codec.ts';
import { type Conversation, withMessages } from '../../core/conversation/conversation.ts';
import type { Message, Part } from '../../core/conversation/message.ts';
import type { SoundConversation } from '../../core/conversation/sound.ts';
import { anthropic } from './index.ts';

const marker = { type: 'ephemeral' };
const use = { type: 'tool_use', id: 'a', name: 'run', input: { long: 'text' }, cache_control: marker };
const text = (words: string): Part => ({ type: 'text', text: words });

const messagesOf = (conversation: Conversation): readonly unknown[] => encodeWith(anthropic, conversation);

describe('hosted calls of Anthropic', () => {
  const call = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
  const result = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
  const words = { type: 'text', text: 'Found it.' };
  const wire = [
    { role: 'user', content: 'Search.' },
    { role: 'assistant', content: [call, result, words] },
  ];
  const keep = (...kept: readonly object[]): readonly string[] => {
    const { conversation } = anthropic.decode(wire);
    const edited = editParts(conversation, 1, (parts) =>
      parts.filter((part) => kept.some((block) => block === part.raw)),
    );
    return anthropic.check(edited).map((issue) => issue.rule);
  };

  it('go with their results, or both stay', () => {
    expect([keep(call, result), keep(words), keep(call, words), keep(result, words)]).toEqual([
      [],
      [],
      ['ANT-8'],
      ['ANT-8'],
    ]);
  });
});

describe('encoding edited Anthropic Messages', () => {
  const wire = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, use] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: 'long', is_error: true, cache_control: marker }],
    },
  ];

  it('parses the arguments of a shortened call and keeps its marker', () => {
    const { conversation } = anthropic.decode(wire);
    const shortened = editParts(conversation, 1, (parts) =>
      parts.map((part) =>
        part.type === 'tool-call'
          ? { type: 'tool-call', callId: 'a', name: 'run', arguments: '{"b":1,"a":2}', base: part.raw }
          : part,
      ),
    );
    expect(messagesOf(shortened)[1]).toEqual({
      role: 'assistant',
      content: [wire[1]?.content[0], { ...use, input: { b: 1, a: 2 } }],
    });
  });

  it('keeps error flag and marker of a result that became a stub', () => {
    const { conversation } = anthropic.decode(wire);
    const stubbed = editParts(conversation, 2, (parts) =>
      parts.map((part) =>
        part.type === 'tool-result'
          ? { type: 'tool-result', callId: 'a', content: [text('stub') as never], isError: true, base: part.raw }
          : part,
      ),
    );
    expect(messagesOf(stubbed)[2]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: 'stub', is_error: true, cache_control: marker }],
    });
  });

  it('never makes thinking anew', () => {
    const { conversation } = anthropic.decode(wire);
    const rewritten = editParts(conversation, 1, (parts) =>
      parts.map((part) => (part.type === 'reasoning' ? { type: 'reasoning', text: 'x', bound: true } : part)),
    );
    expect(messagesOf(rewritten)[1]).toEqual({ role: 'assistant', content: [use] });
  });

  it('writes a new user message as plain text and leaves the system prompt where it was', () => {
    const request = { system: [{ type: 'text', text: 'Be kind.' }], model: 'm', messages: wire };
    const { conversation } = anthropic.decode(request);
    const handoff: Message = { role: 'user', parts: [text('So far: nothing.')] };
    const [system] = conversation.messages;
    const folded = withMessages(conversation, [system as Message, handoff]);
    const encoded = anthropic.encode(folded as SoundConversation) as typeof request;
    expect(encoded).toEqual({
      system: request.system,
      model: 'm',
      messages: [{ role: 'user', content: 'So far: nothing.' }],
    });
    expect(encoded.system).toBe(request.system);
  });

  it('writes an edited system prompt back to its field', () => {
    const { conversation } = anthropic.decode({ system: 'old', messages: wire });
    expect(anthropic.encode(editParts(conversation, 0, () => [text('new')]) as SoundConversation)).toEqual({
      system: 'new',
      messages: wire,
    });
  });
});

describe('checking Anthropic Messages', () => {
  const rules = (messages: readonly Message[], envelope?: unknown): readonly string[] =>
    anthropic.check({ format: 'anthropic', messages, envelope }).map((issue) => issue.rule);
  const say = (role: Message['role'], ...parts: readonly Part[]): Message => ({ role, parts });
  const call: Part = { type: 'tool-call', callId: 'a', name: 'run', arguments: '{}' };
  const result: Part = { type: 'tool-result', callId: 'a', content: [], isError: false };
  const marked: Part = { type: 'text', text: 'x', raw: { type: 'text', text: 'x', cache_control: marker } };

  it('finds every broken rule', () => {
    expect(rules([say('user', text('x')), say('assistant', call), say('user', text('y'))])).toEqual(['ANT-1']);
    expect(rules([say('user', text('x')), say('assistant', call), say('user', text('y'), result)])).toEqual(['ANT-1']);
    expect(rules([say('user', text('x')), say('tool', result)])).toEqual(['ANT-2']);
    expect(rules([say('assistant', text('x'))])).toEqual(['ANT-3']);
    expect(rules([say('user', ...Array.from({ length: 5 }, () => marked))])).toEqual(['ANT-6']);
    expect(rules([say('user', text(''))])).toEqual(['ANT-7']);
    expect(rules([say('user', text('x')), say('assistant', text('y '))])).toEqual(['ANT-7']);
    expect(rules([say('user', text('x')), say('assistant', { ...call, arguments: '[cut' } as Part)])).toEqual([
      'ANT-INPUT',
    ]);
  });

  it('counts markers of tools and of the request itself', () => {
    const envelope = { tools: [{ cache_control: marker }], cache_control: marker, messages: [] };
    expect(rules([say('user', marked, marked, marked)], envelope)).toEqual(['ANT-6']);
    expect(rules([say('user', marked, marked)], envelope)).toEqual([]);
  });

  it('does not refuse a request that came with too many markers', () => {
    const wire = [
      { role: 'user', content: Array.from({ length: 6 }, () => ({ type: 'text', text: 'x', cache_control: marker })) },
    ];
    expect(anthropic.check(anthropic.decode(wire).conversation)).toEqual([]);
  });
});
