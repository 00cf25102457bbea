import { describe, expect, it } from 'vitest';
import { resultTextOf, textOf } from '../../core/conversation/message.ts';
import { anthropic, formats, openaiChat } from '../../formats/index.ts';
import { type BuildFormat, build } from './build.ts';

describe('build', () => {
  it('writes OpenAI chat messages', () => {
    const messages = build()
      .system('Be brief.')
      .user('Compare both.')
      .assistant('Reading.')
      .call('read', { path: 'a.txt' })
      .call('read', 'not json', { id: 'mine' })
      .result('beta', { of: 'mine' })
      .result('alpha')
      .assistant('They differ.')
      .done();
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Compare both.' },
      {
        role: 'assistant',
        content: 'Reading.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } },
          { id: 'mine', type: 'function', function: { name: 'read', arguments: 'not json' } },
        ],
      },
      { role: 'tool', tool_call_id: 'mine', content: 'beta' },
      { role: 'tool', tool_call_id: 'call_1', content: 'alpha' },
      { role: 'assistant', content: 'They differ.' },
    ]);
  });

  it('writes an Anthropic request with results of parallel calls in one message', () => {
    const request = build('anthropic')
      .system('Be brief.')
      .user('Compare both.')
      .reasoning('Two reads.', { signature: 'c2ln' })
      .call('read', { path: 'a.txt' })
      .call('read', { path: 'b.txt' })
      .result('alpha')
      .result('no such file', { failed: true })
      .done();
    expect(request).toEqual({
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'Compare both.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Two reads.', signature: 'c2ln' },
            { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a.txt' } },
            { type: 'tool_use', id: 'call_2', name: 'read', input: { path: 'b.txt' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'alpha' },
            { type: 'tool_result', tool_use_id: 'call_2', content: 'no such file', is_error: true },
          ],
        },
      ],
    });
  });

  it('lets builders share a beginning', () => {
    const start = build().user('Go.');
    expect(start.assistant('One.').done()).toHaveLength(2);
    expect(start.user('Wait.').assistant('Two.').done()).toHaveLength(3);
  });

  it('puts a new step into a new message', () => {
    const { messages } = build().user('Go.').call('ls').result('a').call('ls').result('b').decode(openaiChat);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
  });

  it.each(formats.map((format) => [format.id, format] as const))(
    'writes what %s reads and needs not mend',
    (id, format) => {
      const { messages } = build(id as BuildFormat)
        .system('Be brief.')
        .user('Compare both.')
        .reasoning('Two reads.', { signature: 'c2ln' })
        .assistant('Reading.')
        .call('read', { path: 'a.txt' })
        .call('read', { path: 'b.txt' })
        .result('alpha')
        .result('no such file', { failed: true })
        .reasoning('One is missing.')
        .assistant('Only one is there.')
        .decode(format);
      expect(
        format.detect(
          build(id as BuildFormat)
            .user('Go.')
            .call('ls')
            .done(),
        ),
      ).toBeGreaterThan(0.5);
      expect(messages.map(textOf).filter((text) => text !== '')).toEqual([
        'Be brief.',
        'Compare both.',
        'Reading.',
        'Only one is there.',
      ]);
      const parts = messages.flatMap((message) => message.parts);
      expect(parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))).toEqual([
        'Two reads.',
        'One is missing.',
      ]);
      expect(parts.flatMap((part) => (part.type === 'tool-call' ? [`${part.callId} ${part.arguments}`] : []))).toEqual([
        'call_1 {"path":"a.txt"}',
        'call_2 {"path":"b.txt"}',
      ]);
      expect(parts.flatMap((part) => (part.type === 'tool-result' ? [resultTextOf(part)] : []))).toEqual([
        'alpha',
        'no such file',
      ]);
    },
  );

  it('gives a decoded conversation of either format', () => {
    expect(build('anthropic').user('Go.').assistant('Done.').decode(anthropic).messages).toHaveLength(2);
    expect(build().user('Go.').reasoning('Hm.').assistant('Done.').decode(openaiChat).messages).toHaveLength(2);
  });

  it('says what is wrong with a result nobody asked for', () => {
    expect(() => build().user('Go.').result('?')).toThrow('call without a result');
    expect(() => build().user('Go.').call('ls').result('?', { of: 'other' })).toThrow('`other`');
  });

  it('refuses to decode with another format, or what is not sound', () => {
    expect(() => build().user('Go.').decode(anthropic)).toThrow('Expected the format `openai-chat`');
    expect(() => build().user('Go.').call('ls').user('Never mind.').decode(openaiChat)).toThrow('not sound');
  });
});
