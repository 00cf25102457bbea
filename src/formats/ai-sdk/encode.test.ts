import { generateText, type ModelMessage, modelMessageSchema } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { compact } from '../../core/compact.ts';
import { withMessages } from '../../core/conversation/conversation.ts';
import { type Message, type Part, withParts, withText } from '../../core/conversation/message.ts';
import type { SoundConversation } from '../../core/conversation/sound.ts';
import { heuristicCounter } from '../../core/tokens/counter.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import { aiSdk } from './index.ts';

const first = { role: 'user', content: 'go' };
const call = {
  type: 'tool-call',
  toolCallId: 'a',
  toolName: 'run',
  input: { long: 'text' },
  providerOptions: { openai: { itemId: 'fc_1', other: 1 }, google: { thoughtSignature: 's' } },
};

/** Decodes, edits the parts of the last message, checks and encodes that message. */
function editLast(wire: readonly unknown[], edit: (parts: readonly Part[]) => readonly Part[]): unknown {
  const { conversation } = aiSdk.decode(wire);
  const last = conversation.messages.at(-1) as Message;
  const edited = withMessages(conversation, [...conversation.messages.slice(0, -1), withParts(last, edit(last.parts))]);
  expect(aiSdk.check(edited)).toEqual([]);
  return (aiSdk.encode(edited as SoundConversation) as readonly unknown[]).at(-1);
}

const shorten = (parts: readonly Part[]): readonly Part[] =>
  parts.map((part) =>
    part.type === 'tool-call'
      ? { type: 'tool-call', callId: part.callId, name: part.name, arguments: '{"long":"…"}', base: part.raw }
      : part,
  );
const condense = (parts: readonly Part[]): readonly Part[] =>
  parts.map((part) => {
    if (part.type !== 'tool-result') return part;
    const { raw, ...rest } = part;
    const [text] = part.content;
    const short = text?.type === 'text' ? withText(text, 'short') : { type: 'text' as const, text: 'short' };
    return { ...rest, content: [short], base: raw };
  });

describe('encoding edited messages of the AI SDK', () => {
  it('keeps what it does not know of a shortened call, but not the id under which OpenAI holds the long one', () => {
    const text = { type: 'text', text: 'ok', providerOptions: { openai: { itemId: 'msg_1' } } };
    expect(
      editLast([first, { role: 'assistant', content: [text, call], providerOptions: { x: {} } }], shorten),
    ).toEqual({
      role: 'assistant',
      providerOptions: { x: {} },
      content: [
        text,
        { ...call, input: { long: '…' }, providerOptions: { openai: { other: 1 }, google: { thoughtSignature: 's' } } },
      ],
    });
  });

  it('takes the ids off calls whose reasoning is gone', () => {
    const reasoning = { type: 'reasoning', text: 'hm', providerOptions: { openai: { itemId: 'rs_1' } } };
    const wire = [first, { role: 'assistant', content: [reasoning, call] }];
    const strip = (parts: readonly Part[]): readonly Part[] => parts.filter((part) => part.type !== 'reasoning');
    expect(editLast(wire, strip)).toEqual({
      role: 'assistant',
      content: [{ ...call, providerOptions: { openai: { other: 1 }, google: { thoughtSignature: 's' } } }],
    });
    const same = editLast(wire, (parts) => [...parts, { type: 'text', text: 'more' }]) as { content: unknown[] };
    expect(same.content[0]).toBe(reasoning);
    expect(same.content[1]).toBe(call);
  });

  it.each([
    [
      { type: 'text', value: 'long' },
      { type: 'text', value: 'short' },
    ],
    [
      { type: 'error-text', value: 'long' },
      { type: 'error-text', value: 'short' },
    ],
    [
      { type: 'json', value: { long: 1 } },
      { type: 'text', value: 'short' },
    ],
    [
      { type: 'error-json', value: [1] },
      { type: 'error-text', value: 'short' },
    ],
    [
      { type: 'execution-denied', reason: 'long' },
      { type: 'execution-denied', reason: 'short' },
    ],
    [
      { type: 'content', value: [{ type: 'text', text: 'long', providerOptions: { x: {} } }, { type: 'media' }] },
      { type: 'content', value: [{ type: 'text', text: 'short', providerOptions: { x: {} } }] },
    ],
  ])('writes a condensed output of %j', (output, expected) => {
    const answer = { type: 'tool-result', toolCallId: 'a', toolName: 'run', output, providerOptions: { y: {} } };
    const wire = [first, { role: 'assistant', content: [call] }, { role: 'tool', content: [answer] }];
    expect(editLast(wire, condense)).toEqual({ role: 'tool', content: [{ ...answer, output: expected }] });
  });

  it('writes a new message with an array, which prompts of providers need too', () => {
    const { conversation } = aiSdk.decode({ messages: [first], temperature: 0 });
    const handoff: Message = { role: 'user', parts: [{ type: 'text', text: 'So far.' }] };
    expect(aiSdk.encode(withMessages(conversation, [handoff]) as SoundConversation)).toEqual({
      temperature: 0,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'So far.' }] }],
    });
  });
});

describe('checking messages of the AI SDK', () => {
  const rules = (messages: readonly Message[]): readonly string[] =>
    aiSdk.check({ format: 'ai-sdk', messages }).map((issue) => issue.rule);
  const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
  const calls: Message = {
    role: 'assistant',
    parts: [{ type: 'tool-call', callId: 'a', name: 'run', arguments: '{}' }],
  };
  const answer: Message = { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', content: [], isError: false }] };
  const approval = (kind: string, raw: object): Part => ({ type: 'opaque', kind, json: '', raw });

  it('finds every broken rule', () => {
    expect(rules([say('user', 'x'), calls, say('user', 'y')])).toEqual(['AIS-2']);
    expect(rules([say('user', 'x'), answer])).toEqual(['AIS-1']);
    expect(rules([say('user', 'x'), say('system', 'y')])).toEqual(['AIS-4']);
    expect(rules([say('user', '')])).toEqual(['AIS-EMPTY']);
    const request = approval('tool-approval-request', { approvalId: 'p', toolCallId: 'gone' });
    expect(rules([say('user', 'x'), { role: 'assistant', parts: [request] }])).toEqual(['AIS-3']);
    const response = approval('tool-approval-response', { approvalId: 'gone' });
    expect(rules([say('user', 'x'), calls, { role: 'tool', parts: [response] }, answer])).toEqual(['AIS-3']);
    expect(rules([say('user', 'x'), calls, answer])).toEqual([]);
  });
});

describe('what is written for the AI SDK', () => {
  const model = (): MockLanguageModelV4 =>
    new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      },
    });
  const session = (): ModelMessage[] => [
    { role: 'user', content: [{ type: 'text', text: 'Fix the limiter. Never log client ips.' }] },
    ...Array.from({ length: 30 }, (_, step): ModelMessage[] => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `Step ${step}` },
          { type: 'tool-call', toolCallId: `c${step}`, toolName: 'read', input: { path: `src/${step}.ts` } },
          { type: 'tool-call', toolCallId: `d${step}`, toolName: 'write', input: { text: 'x'.repeat(900) } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: `c${step}`,
            toolName: 'read',
            output: {
              type: 'json',
              value: { lines: Array.from({ length: 80 }, (_line, at) => `line ${at} of ${step}`) },
            },
          },
          {
            type: 'tool-result',
            toolCallId: `d${step}`,
            toolName: 'write',
            output: { type: 'text', value: `wrote ${'word '.repeat(100)}` },
          },
        ],
      },
    ]).flat(),
    { role: 'user', content: 'Go on.' },
  ];

  it.each([0.9, 0.5, 0.2])('is accepted by it, compacted to %d', async (share) => {
    const messages = session();
    const { conversation } = aiSdk.decode(messages);
    const target = Math.floor(createMeasure(heuristicCounter).conversation(conversation) * share);
    const { conversation: view, outcome } = await compact(conversation, aiSdk, { target });
    expect(['condensed', 'folded']).toContain(outcome);
    const written = aiSdk.encode(view as SoundConversation) as ModelMessage[];
    for (const message of written) expect(modelMessageSchema.safeParse(message).success).toBe(true);
    const asked = model();
    await generateText({ model: asked, messages: written });
    const prompt = asked.doGenerateCalls[0]?.prompt ?? [];
    expect(prompt.length).toBeGreaterThan(1);
    // The prompt of a provider is read and given back as well.
    const decoded = aiSdk.decode(prompt);
    expect(decoded.notes).toEqual([]);
    expect(aiSdk.encode(decoded.conversation as SoundConversation)).toBe(prompt);
  });

  it('has no unanswered call, for which the SDK would throw', async () => {
    const broken = session().filter((_message, index) => index !== 2);
    await expect(generateText({ model: model(), messages: broken })).rejects.toThrow('Tool results are missing');
    const { conversation, notes } = aiSdk.decode(broken);
    expect(notes).toHaveLength(2);
    const messages = aiSdk.encode(conversation as SoundConversation) as ModelMessage[];
    expect((await generateText({ model: model(), messages })).text).toBe('done');
  });
});
