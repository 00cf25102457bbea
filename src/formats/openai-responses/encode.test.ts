import { describe, expect, it } from 'vitest';
import { editParts, encodeWith } from '../../../test/formats/codec.ts';
import { compact } from '../../core/compact.ts';
import { append, type Conversation, withMessages } from '../../core/conversation/conversation.ts';
import type { Message, TextPart } from '../../core/conversation/message.ts';
import type { SoundConversation } from '../../core/conversation/sound.ts';
import { singleSummarizer } from '../../core/model.ts';
import { behave, scriptedModel } from '../../testing/index.ts';
import { openaiResponses } from './index.ts';

const text = (words: string): TextPart => ({ type: 'text', text: words });
const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] };
const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'q' };
const words = {
  type: 'message',
  id: 'msg',
  role: 'assistant',
  content: [
    { type: 'output_text', text: 'one', annotations: [] },
    { type: 'output_text', text: 'two' },
  ],
};
const call = { type: 'function_call', id: 'fc', call_id: 'a', name: 'run', arguments: '{"long":"text"}' };
const output = { type: 'function_call_output', call_id: 'a', output: 'long', status: 'completed' };
const wire = [user, reasoning, words, call, output];

const itemsOf = (conversation: Conversation): readonly unknown[] => encodeWith(openaiResponses, conversation);

function rulesOf(conversation: Conversation): readonly string[] {
  return openaiResponses.check(conversation).map((issue) => issue.rule);
}

describe('encoding edited OpenAI Responses', () => {
  const { conversation } = openaiResponses.decode(wire);

  it('takes the ids off items whose reasoning is gone, so that nobody asks for it', () => {
    const stripped = itemsOf(editParts(conversation, 1, (parts) => parts.filter((part) => part.type !== 'reasoning')));
    const { id: _message, ...bareWords } = words;
    const { id: _call, ...bareCall } = call;
    expect(stripped).toEqual([user, bareWords, bareCall, output]);
    expect([stripped[0], stripped[3]]).toEqual([user, output]);
  });

  it('changes the item that holds an edited part, and no other', () => {
    const edited = itemsOf(
      editParts(conversation, 1, (parts) =>
        parts.map((part) =>
          part.type === 'text' && part.text === 'two' ? { type: 'text', text: 'zwei', base: part.raw } : part,
        ),
      ),
    );
    expect(edited[2]).toEqual({ ...words, content: [words.content[0], { type: 'output_text', text: 'zwei' }] });
    for (const at of [0, 1, 3, 4]) expect(edited[at]).toBe(wire[at]);
  });

  it('writes shortened arguments and outputs into the items they came from', () => {
    const short = editParts(conversation, 1, (parts) =>
      parts.map((part) =>
        part.type === 'tool-call'
          ? { type: 'tool-call', callId: 'a', name: 'run', arguments: '{}', base: part.raw }
          : part,
      ),
    );
    expect(itemsOf(short)[3]).toEqual({ ...call, arguments: '{}' });
    const condensed = editParts(conversation, 2, () => [
      { type: 'tool-result', callId: 'a', content: [text('short')], isError: false, base: output },
    ]);
    expect(itemsOf(condensed)[4]).toEqual({ ...output, output: 'short' });
  });

  it('writes what a provider-made call asks for as an object', () => {
    const shell = { type: 'shell_call', call_id: 's', action: { commands: ['ls'] } };
    const asked = openaiResponses.decode([user, shell]).conversation;
    const with_ = (json: string): Conversation =>
      editParts(asked, 1, () => [{ type: 'tool-call', callId: 's', name: 'shell', arguments: json, base: shell }]);
    expect(itemsOf(with_('{"commands":[]}'))[1]).toEqual({ ...shell, action: { commands: [] } });
    expect(rulesOf(with_('no object'))).toEqual(['RESP-INPUT']);
  });

  it('writes new messages, calls and results', () => {
    const added: readonly Message[] = [
      { role: 'user', parts: [text('on')] },
      { role: 'assistant', parts: [text('yes'), { type: 'tool-call', callId: 'n', name: 'run', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'n', content: [text('ok')], isError: false }] },
    ];
    expect(itemsOf(append(conversation, added)).slice(5)).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'on' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] },
      { type: 'function_call', call_id: 'n', name: 'run', arguments: '{}' },
      { type: 'function_call_output', call_id: 'n', output: 'ok' },
    ]);
  });

  it('writes a bare text as an item beside others, and edited instructions in their place', () => {
    const bare = openaiResponses.decode({ input: 'go', instructions: 'Be brief.' }).conversation;
    const more = append(bare, [{ role: 'assistant', parts: [text('yes')] }]);
    expect(openaiResponses.encode(more as SoundConversation)).toEqual({
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'user', content: 'go' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] },
      ],
    });
    const edited = editParts(bare, 0, () => [text('Be long.')]);
    expect(openaiResponses.encode(edited as SoundConversation)).toEqual({ instructions: 'Be long.', input: 'go' });
  });

  it('refuses reasoning without what follows it, and what follows it only in part', () => {
    expect(rulesOf(editParts(conversation, 1, (parts) => parts.slice(0, 1)))).toContain('RESP-2');
    expect(rulesOf(editParts(conversation, 1, (parts) => parts.filter((part) => part.type !== 'text')))).toEqual([
      'RESP-3',
    ]);
  });

  it('refuses to put something between a compaction item and its follower, or behind a trigger', () => {
    const compacted = openaiResponses.decode([{ type: 'compaction', id: 'c' }, user]).conversation;
    const handoff: Message = { role: 'user', parts: [text('new')] };
    expect(rulesOf(withMessages(compacted, compacted.messages.toSpliced(1, 0, handoff)))).toEqual(['RESP-5']);
    const last = openaiResponses.decode([user, { type: 'compaction', id: 'c' }]).conversation;
    expect(rulesOf(append(last, [handoff]))).toEqual([]);
    const triggered = openaiResponses.decode([user, { type: 'compaction_trigger' }]).conversation;
    expect(rulesOf(append(triggered, [handoff]))).toEqual(['RESP-6']);
  });
});

describe('a request whose history is on the server', () => {
  const long = Array.from({ length: 20 }, (_, at) => [
    { ...call, call_id: `c${at}` },
    { ...output, call_id: `c${at}`, output: `line ${at}\n`.repeat(200) },
  ]).flat();

  it.each([{ previous_response_id: 'resp_1' }, { conversation: { id: 'conv_1' } }])(
    'may grow but is never compacted: %j',
    async (held) => {
      const request = { ...held, instructions: 'Be brief.', input: [user, ...long] };
      const { conversation } = openaiResponses.decode(request);
      const {
        outcome,
        refusal,
        conversation: same,
        receipt,
      } = await compact(conversation, openaiResponses, { target: 2_000 });
      expect([outcome, refusal]).toEqual(['unchanged', null]);
      expect(receipt.reason).toContain('a server keeps or edits earlier messages');
      expect(openaiResponses.encode(same)).toBe(request);
      // Nobody is paid for a request that stays as it is.
      const model = scriptedModel(behave.good);
      const asked = await compact(conversation, openaiResponses, {
        target: 2_000,
        summarizer: singleSummarizer(model),
      });
      expect([asked.outcome, model.requests.length]).toEqual(['unchanged', 0]);
      const more = append(conversation, [{ role: 'user', parts: [text('more')] }]);
      expect(openaiResponses.check(more)).toEqual([]);
    },
  );
});
