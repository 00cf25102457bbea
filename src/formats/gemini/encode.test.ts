import { describe, expect, it } from 'vitest';
import { editParts, encodeWith } from '../../../test/formats/codec.ts';
import { compact } from '../../core/compact.ts';
import { append, type Conversation, withMessages } from '../../core/conversation/conversation.ts';
import type { Message, Part, TextPart } from '../../core/conversation/message.ts';
import type { SoundConversation } from '../../core/conversation/sound.ts';
import { gemini } from './index.ts';

const text = (words: string): TextPart => ({ type: 'text', text: words });
const go = { role: 'user', parts: [{ text: 'go' }] };
const call = { functionCall: { name: 'run', args: { long: 'text' } }, thoughtSignature: 'c2ln' };
const answer = { functionResponse: { name: 'run', response: { output: 'long' }, scheduling: 'SILENT' } };
const wire = [
  go,
  { role: 'model', parts: [{ text: 'hm', thought: true }, call] },
  { role: 'user', parts: [answer] },
  { role: 'model', parts: [{ text: 'done', thoughtSignature: 'c2ln' }] },
];

const contentsOf = (conversation: Conversation): readonly unknown[] => encodeWith(gemini, conversation);

function rulesOf(conversation: Conversation): readonly string[] {
  return gemini.check(conversation).map((issue) => issue.rule);
}

describe('encoding edited Gemini contents', () => {
  const { conversation } = gemini.decode(wire);

  it('keeps the signature on a call whose arguments are shortened, and writes no id that was made up', () => {
    const short = editParts(conversation, 1, ([thought, part]) => [
      thought as Part,
      { type: 'tool-call', callId: 'run~0', name: 'run', arguments: '{"a":1}', base: part?.raw },
    ]);
    expect(contentsOf(short)[1]).toEqual({
      role: 'model',
      parts: [
        { text: 'hm', thought: true },
        { functionCall: { name: 'run', args: { a: 1 } }, thoughtSignature: 'c2ln' },
      ],
    });
  });

  it('leaves out a thought and keeps the call', () => {
    const stripped = contentsOf(editParts(conversation, 1, (parts) => parts.slice(1)));
    expect(stripped[1]).toEqual({ role: 'model', parts: [call] });
    expect((stripped[1] as { readonly parts: readonly unknown[] }).parts[0]).toBe(call);
  });

  it.each<[object, boolean, object]>([
    [{ output: 'long' }, false, { output: 'short' }],
    [{ error: 'long' }, true, { error: 'short' }],
    [{ result: 'long' }, false, { result: 'short' }],
    [{ stdout: 'long', exit: 0 }, false, { output: 'short' }],
    [{ error: 'long', code: 1 }, true, { error: 'short' }],
  ])('keeps the response %j an object', (response, isError, after) => {
    const base = { functionResponse: { id: 'x', name: 'run', response, parts: [{ inlineData: {} }] } };
    const read = gemini.decode([
      go,
      { role: 'model', parts: [{ functionCall: { id: 'x', name: 'run' } }] },
      { role: 'user', parts: [base] },
    ]);
    const short = editParts(read.conversation, 2, () => [
      { type: 'tool-result', callId: 'x', content: [text('short')], isError, base },
    ]);
    expect(contentsOf(short)[2]).toEqual({
      role: 'user',
      parts: [{ functionResponse: { id: 'x', name: 'run', response: after } }],
    });
  });

  it('keeps the spelling that came in', () => {
    const base = { function_response: { name: 'run', response: { output: 'long' } } };
    const snake = [go, { role: 'model', parts: [{ function_call: { name: 'run' } }] }, { role: 'user', parts: [base] }];
    const short = editParts(gemini.decode(snake).conversation, 2, () => [
      { type: 'tool-result', callId: 'run~0', content: [text('short')], isError: false, base },
    ]);
    expect(contentsOf(short)[2]).toEqual({
      role: 'user',
      parts: [{ function_response: { name: 'run', response: { output: 'short' } } }],
    });
  });

  it('writes new messages, calls and results', () => {
    const added: readonly Message[] = [
      { role: 'user', parts: [text('on')] },
      { role: 'assistant', parts: [{ type: 'tool-call', callId: 'n', name: 'run', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'n', content: [text('ok')], isError: false }] },
    ];
    expect(contentsOf(append(conversation, added)).slice(4)).toEqual([
      { role: 'user', parts: [{ text: 'on' }] },
      { role: 'model', parts: [{ functionCall: { id: 'n', name: 'run', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'n', name: 'run', response: { output: 'ok' } } }] },
    ]);
  });

  it('joins contents of the model that an edit made neighbours, since a call must follow the user', () => {
    const said = { role: 'model', parts: [{ text: 'first' }] };
    const calls = { role: 'model', parts: [call] };
    const { messages, ...rest } = gemini.decode([go, said, go, calls, { role: 'user', parts: [answer] }]).conversation;
    const without = contentsOf({ ...rest, messages: messages.toSpliced(2, 1) });
    expect(without).toEqual([
      go,
      { role: 'model', parts: [{ text: 'first' }, call] },
      { role: 'user', parts: [answer] },
    ]);
    const came = [go, said, calls, { role: 'user', parts: [answer] }];
    expect(contentsOf(gemini.decode(came).conversation)).toBe(came);
  });

  it('edits and adds a system instruction in its place', () => {
    const request = { system_instruction: { parts: [{ text: 'Be brief.' }] }, contents: [go] };
    const edited = editParts(gemini.decode(request).conversation, 0, () => [text('Be long.')]);
    expect(gemini.encode(edited as SoundConversation)).toEqual({
      system_instruction: { parts: [{ text: 'Be long.' }] },
      contents: [go],
    });
    const prompt: Message = { role: 'system', parts: [text('Be brief.')] };
    const prompted = withMessages(conversation, [prompt, ...conversation.messages]);
    expect(contentsOf(prompted)).toEqual({ systemInstruction: { parts: [{ text: 'Be brief.' }] }, contents: wire });
  });

  it('refuses what the API refuses', () => {
    const [first, second, third] = conversation.messages as readonly [Message, Message, Message];
    expect(rulesOf(withMessages(conversation, [second, third]))).toEqual(['GEM-6']);
    expect(rulesOf(withMessages(conversation, [first, { role: 'system', parts: [text('x')] }]))).toEqual(['GEM-6']);
    expect(rulesOf(withMessages(conversation, [first, second, first]))).toEqual(['GEM-1']);
    expect(rulesOf(withMessages(conversation, [first, third]))).toEqual(['GEM-2']);
    expect(rulesOf(withMessages(conversation, [{ role: 'user', parts: [text('')] }]))).toEqual(['GEM-EMPTY']);
    expect(
      rulesOf(editParts(conversation, 1, () => [{ type: 'tool-call', callId: 'run~0', name: 'run', arguments: 'no' }])),
    ).toEqual(['GEM-INPUT']);
    const parallel = gemini.decode([
      go,
      { role: 'model', parts: [call, call] },
      { role: 'user', parts: [answer, answer] },
    ]);
    const [one, two, both] = parallel.conversation.messages as readonly [Message, Message, Message];
    const spread = both.parts.map((part): Message => ({ role: 'tool', parts: [part] }));
    expect(rulesOf(withMessages(parallel.conversation, [one, two, ...spread]))).toEqual(['GEM-1']);
  });
});

describe('a request whose beginning is cached on the server', () => {
  it('may grow but is never compacted', async () => {
    const steps = Array.from({ length: 20 }, (_, at) => [
      { role: 'model', parts: [call] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'run', response: { output: `line ${at}\n`.repeat(200) } } }],
      },
    ]).flat();
    const request = { cachedContent: 'cachedContents/1', contents: [go, ...steps] };
    const { conversation } = gemini.decode(request);
    const { outcome, refusal, conversation: same, receipt } = await compact(conversation, gemini, { target: 2_000 });
    expect([outcome, refusal]).toEqual(['unchanged', null]);
    expect(receipt.reason).toContain('a server keeps or edits earlier messages');
    expect(gemini.encode(same)).toBe(request);
    expect(gemini.check(append(conversation, [{ role: 'user', parts: [text('more')] }]))).toEqual([]);
  });
});
