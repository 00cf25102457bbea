import {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { describe, expect, it } from 'vitest';
import { compact } from '../../core/compact.ts';
import { withMessages } from '../../core/conversation/conversation.ts';
import { type Message, type Part, withParts, withText } from '../../core/conversation/message.ts';
import type { SoundConversation } from '../../core/conversation/sound.ts';
import { heuristicCounter } from '../../core/tokens/counter.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import { langChain } from './index.ts';

const human = new HumanMessage({ content: 'go', id: 'h' });

/** Decodes, edits the parts of the second message, checks and encodes it. */
function edit<Wire>(wire: readonly Wire[], change: (part: Part) => readonly Part[], at = 1): Wire {
  const { conversation } = langChain.decode(wire);
  const edited = withMessages(
    conversation,
    conversation.messages.map((message, index) =>
      index === at ? withParts(message, message.parts.flatMap(change)) : message,
    ),
  );
  expect(langChain.check(edited)).toEqual([]);
  const encoded = langChain.encode(edited as SoundConversation) as readonly Wire[];
  encoded.forEach((message, index) => {
    if (index !== at) expect(message).toBe(wire[index]);
  });
  expect(langChain.decode(encoded).notes).toEqual([]);
  return encoded[at] as Wire;
}

const shorten = (part: Part): readonly Part[] =>
  part.type === 'tool-call'
    ? [{ type: 'tool-call', callId: part.callId, name: part.name, arguments: '{"long":"…"}', base: part.raw }]
    : [part];
const calls = [{ id: 'a', name: 'run', args: { long: 'text' }, type: 'tool_call' as const }];
const copies = [{ id: 'a', type: 'function' as const, function: { name: 'run', arguments: '{"long": "text"}' } }];

describe('encoding edited messages of LangChain', () => {
  it('makes a new instance of the same class with the same id, and changes a call in every place that holds it', () => {
    const message = new AIMessage({
      id: 'm1',
      name: 'bot',
      content: [
        { type: 'text', text: 'ok', cache_control: {} },
        { type: 'tool_use', id: 'a', name: 'run', input: { long: 'text' } },
      ],
      tool_calls: calls,
      additional_kwargs: { tool_calls: copies, other: 1 },
      response_metadata: { model: 'x', output: [{ type: 'function_call' }] },
      ...({ usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } } as object),
    });
    const edited = edit([human, message], shorten);
    expect(edited).toBeInstanceOf(AIMessage);
    expect(edited).not.toBe(message);
    expect(edited.constructor).toBe(AIMessage);
    expect(edited.toDict()).toEqual({
      type: 'ai',
      data: {
        id: 'm1',
        name: 'bot',
        content: [
          { type: 'text', text: 'ok', cache_control: {} },
          { type: 'tool_use', id: 'a', name: 'run', input: { long: '…' } },
        ],
        tool_calls: [{ id: 'a', name: 'run', args: { long: '…' }, type: 'tool_call' }],
        invalid_tool_calls: [],
        additional_kwargs: {
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{"long":"…"}' } }],
          other: 1,
        },
        // What OpenAI's integration would send in place of the edited message is gone.
        response_metadata: { model: 'x' },
        usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      },
    });
    expect(message.tool_calls).toEqual(calls);
  });

  it('takes a removed call out of every place', () => {
    const message = new AIMessage({
      content: [
        { type: 'text', text: 'ok' },
        { type: 'tool_use', id: 'a', name: 'run', input: {} },
      ],
      tool_calls: calls,
      additional_kwargs: { tool_calls: copies },
    });
    const edited = edit([human, message], (part) => (part.type === 'tool-call' ? [] : [part])) as AIMessage;
    expect([edited.tool_calls, edited.content, edited.additional_kwargs]).toEqual([
      [],
      [{ type: 'text', text: 'ok' }],
      {},
    ]);
  });

  it('edits what was streamed: chunks of calls do not bring the old arguments back', () => {
    const chunk = new AIMessageChunk({
      id: 'm1',
      content: '',
      tool_call_chunks: [{ id: 'a', name: 'run', args: '{"long":"text"}', index: 0, type: 'tool_call_chunk' }],
    });
    const edited = edit([human, chunk], shorten) as AIMessageChunk;
    expect(edited.constructor).toBe(AIMessageChunk);
    expect([edited.id, edited.tool_calls]).toEqual(['m1', [{ ...calls[0], args: { long: '…' } }]]);
  });

  it('edits content of version 1, in which calls stand too', () => {
    const message = new AIMessage({
      contentBlocks: [
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'tool_call', id: 'a', name: 'run', args: { long: 'text' } },
      ],
    });
    const edited = edit([human, message], shorten) as AIMessage;
    expect(edited.content).toEqual([
      { type: 'reasoning', reasoning: 'hm' },
      { type: 'tool_call', id: 'a', name: 'run', args: { long: '…' } },
    ]);
    expect(edited.tool_calls).toEqual([{ type: 'tool_call', id: 'a', name: 'run', args: { long: '…' } }]);
    expect(message.content).toMatchObject([{}, { args: { long: 'text' } }]);
  });

  it('removes reasoning beside the content with the reasoning part', () => {
    const additional = {
      reasoning: { id: 'rs' },
      reasoning_content: 'hm',
      __openai_function_call_ids__: { a: 'fc' },
      x: 1,
    };
    const message = new AIMessage({ content: 'ok', additional_kwargs: additional });
    const edited = edit([human, message], (part) => (part.type === 'reasoning' ? [] : [part]));
    expect(edited.additional_kwargs).toEqual({ x: 1 });
    const other = edit([human, message], (part) => (part.type === 'text' ? [withText(part, 'no')] : [part]));
    expect([other.additional_kwargs, other.content]).toEqual([additional, 'no']);
  });

  it('keeps id, name, status and artifact of a condensed result', () => {
    const artifact = { rows: 3 };
    const tool = new ToolMessage({
      content: 'long',
      tool_call_id: 'a',
      name: 'run',
      id: 't',
      status: 'error',
      artifact,
    });
    const condense = (part: Part): readonly Part[] =>
      part.type === 'tool-result' ? [{ ...part, content: [{ type: 'text', text: 'short' }] }] : [part];
    const edited = edit<BaseMessage>([human, new AIMessage({ content: '', tool_calls: calls }), tool], condense, 2);
    expect(edited).toMatchObject({ content: 'short', tool_call_id: 'a', name: 'run', id: 't', status: 'error' });
    expect((edited as ToolMessage).artifact).toBe(artifact);
  });

  it.each(['stored', 'constructor'] as const)('keeps the %s form of JSON', (form) => {
    const messages = [human, new AIMessage({ content: 'ok', id: 'm1', tool_calls: calls })];
    const json: readonly unknown[] =
      form === 'stored'
        ? mapChatMessagesToStoredMessages(messages)
        : (JSON.parse(JSON.stringify(messages)) as readonly unknown[]);
    const edited = edit(json, shorten) as StoredMessage;
    const message =
      form === 'stored' ? mapStoredMessagesToChatMessages([edited])[0] : coerceMessageLikeToMessage(edited as never);
    expect(message).toMatchObject({ id: 'm1', tool_calls: [{ args: { long: '…' } }] });
  });
});

describe('a new message of LangChain', () => {
  const handoff: Message = { role: 'user', parts: [{ type: 'text', text: 'So far.' }] };
  const added = (wire: readonly unknown[]): unknown => {
    const { conversation } = langChain.decode(wire);
    const more = withMessages(conversation, [handoff, ...conversation.messages]);
    expect(langChain.check(more)).toEqual([]);
    return (langChain.encode(more as SoundConversation) as readonly unknown[])[0];
  };

  it('is of the class of the other messages', () => {
    expect((added([human]) as object).constructor).toBe(HumanMessage);
    expect(added(mapChatMessagesToStoredMessages([human]))).toEqual({
      type: 'human',
      data: { content: 'So far.', additional_kwargs: {}, response_metadata: {} },
    });
    const json = added(JSON.parse(JSON.stringify([human])) as readonly unknown[]);
    expect(coerceMessageLikeToMessage(json as never)).toBeInstanceOf(HumanMessage);
  });

  it('is a message that LangChain takes for a human one when there is no human message to learn the class from', () => {
    const message = added([new SystemMessage('rules'), new AIMessage('hello')]) as BaseMessage;
    expect(message).toBeInstanceOf(HumanMessage);
    expect(HumanMessage.isInstance(message) && BaseMessage.isInstance(message)).toBe(true);
    expect([message.getType(), message.text, message.toDict().type]).toEqual(['human', 'So far.', 'human']);
    expect(coerceMessageLikeToMessage(JSON.parse(JSON.stringify(message)) as never)).toBeInstanceOf(HumanMessage);
  });
});

describe('what is written for LangChain', () => {
  const session = (): BaseMessage[] => [
    new HumanMessage({ content: 'Fix the limiter. Never log client ips.', id: 'start' }),
    ...Array.from({ length: 30 }, (_, step) => [
      new AIMessage({
        id: `ai${step}`,
        content: `Step ${step}`,
        tool_calls: [{ id: `c${step}`, name: 'write', args: { text: `${step} ${'x'.repeat(900)}` } }],
        additional_kwargs: {
          tool_calls: [
            {
              id: `c${step}`,
              type: 'function',
              function: { name: 'write', arguments: JSON.stringify({ text: `${step} ${'x'.repeat(900)}` }) },
            },
          ],
        },
      }),
      new ToolMessage({ id: `t${step}`, content: `wrote ${'word '.repeat(200)}`, tool_call_id: `c${step}` }),
    ]).flat(),
    new HumanMessage({ content: 'Go on.', id: 'end' }),
  ];

  it.each([0.7, 0.2])('is accepted by it, compacted to %d', async (share) => {
    const messages = session();
    const { conversation } = langChain.decode(messages);
    const target = Math.floor(createMeasure(heuristicCounter).conversation(conversation) * share);
    const { conversation: view, outcome } = await compact(conversation, langChain, { target });
    expect(['condensed', 'folded']).toContain(outcome);
    const written = langChain.encode(view as SoundConversation) as BaseMessage[];
    expect(written.every((message) => BaseMessage.isInstance(message))).toBe(true);
    const ids = new Set(messages.map((message) => message.id));
    expect(written.filter((message) => message.id !== undefined).every((message) => ids.has(message.id))).toBe(true);
    for (const message of written)
      if (AIMessage.isInstance(message)) {
        const copies = (message.additional_kwargs.tool_calls ?? []).map((copy) => JSON.parse(copy.function.arguments));
        expect(copies).toEqual((message.tool_calls ?? []).map((call) => call.args));
      }
    const model = new FakeListChatModel({ responses: ['done'] });
    expect((await model.invoke(written)).text).toBe('done');
    // Stored and read again, it is the same conversation.
    const stored = mapChatMessagesToStoredMessages(written);
    const { conversation: again, notes } = langChain.decode(stored);
    expect(notes).toEqual([]);
    expect(createMeasure(heuristicCounter).conversation(again)).toBe(
      createMeasure(heuristicCounter).conversation(view),
    );
    expect(mapStoredMessagesToChatMessages(stored)).toHaveLength(written.length);
  });
});

describe('checking messages of LangChain', () => {
  const rules = (messages: readonly Message[]): readonly string[] =>
    langChain.check({ format: 'langchain', messages }).map((issue) => issue.rule);
  const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
  const asked: Message = {
    role: 'assistant',
    base: {},
    parts: [{ type: 'tool-call', callId: 'a', name: 'run', arguments: '{}' }],
  };
  const answer: Message = { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', content: [], isError: false }] };

  it('finds every broken rule', () => {
    expect(rules([say('user', 'x'), asked, say('user', 'y')])).toEqual(['LC-1']);
    expect(rules([say('user', 'x'), answer])).toEqual(['LC-1']);
    const broken: Part = { type: 'tool-call', callId: 'a', name: 'run', arguments: 'no', base: { args: {} } };
    expect(rules([say('user', 'x'), { ...asked, parts: [broken] }, answer])).toEqual(['LC-2']);
    expect(rules([say('user', '')])).toEqual(['LC-EMPTY']);
    expect(rules([say('user', 'x'), say('system', 'y')])).toEqual(['LC-SYSTEM']);
    expect(rules([say('user', 'x'), asked, answer])).toEqual([]);
  });
});
