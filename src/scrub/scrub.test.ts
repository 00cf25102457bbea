import { describe, expect, it } from 'vitest';
import { anthropic, openaiChat } from '../formats/index.ts';
import { reportOf, reportText } from './report.ts';
import { type ScrubOptions, type ScrubResult, scrubSessions } from './scrub.ts';
import { SYSTEM_PLACEHOLDER } from './session/structure.ts';
import { cutMiddle } from './session/trim.ts';

function scrub(wire: unknown, options: ScrubOptions = {}, format = openaiChat): ScrubResult {
  const { conversation } = format.decode(wire);
  return scrubSessions([{ name: 's', source: 's.json', format, conversation }], options);
}

function fileOf(result: ScrubResult): Readonly<Record<string, unknown>> & { readonly messages: readonly Message[] } {
  return JSON.parse(result.sessions[0]?.text ?? '') as never;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

const call = (id: string, args = '{}'): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: args } }],
});
const result = (id: string, content: string): object => ({ role: 'tool', tool_call_id: id, content });
const user = (content: string): object => ({ role: 'user', content });

describe('the structure', () => {
  it('replaces the system prompt, unless it is to be kept', () => {
    const wire = [{ role: 'system', content: 'Memory of /home/teknium' }, user('hello teknium')];
    expect(fileOf(scrub(wire)).messages).toEqual([{ role: 'system', content: SYSTEM_PLACEHOLDER }, user('hello user')]);
    expect(fileOf(scrub(wire, { keepSystem: true })).messages[0]?.content).toBe('Memory of /home/user');
  });

  it('replaces the first user message by the paraphrase, scrubbed', () => {
    const wire = [user('yo fix it'), { role: 'assistant', content: 'ok' }, user('thanks')];
    const { messages } = fileOf(scrub(wire, { firstMessage: 'Fix /home/teknium/x.' }));
    expect(messages.map(({ content }) => content)).toEqual(['Fix /home/user/x.', 'ok', 'thanks']);
  });

  it('removes reasoning in fields and in tags, and messages that had nothing else', () => {
    const wire = [
      user('a'),
      { role: 'assistant', content: '<think>secret plan</think>' },
      {
        role: 'assistant',
        content: '<think>plan</think>done',
        reasoning_content: 'plan',
        reasoning_details: [{ text: 'plan' }],
      },
      user('<think>the tags of a user are text</think>'),
    ];
    const { messages } = fileOf(scrub(wire));
    expect(messages).toEqual([
      user('a'),
      { role: 'assistant', content: 'done' },
      user('<think>the tags of a user are text</think>'),
    ]);
  });

  it('removes thinking of Anthropic, and keeps what is sound', () => {
    const wire = {
      model: 'claude',
      system: 'You know /home/teknium',
      metadata: { user_id: 'teknium-1' },
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'abc' },
            {
              type: 'tool_use',
              id: 't1',
              name: 'bash',
              input: { cmd: 'cat /home/teknium/x', env: { DB_PASSWORD: `Zq7kW2${'xLp9'}` } },
            },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'owner teknium' }] },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'only this', signature: 'abc' }] },
      ],
    };
    const value = fileOf(scrub(wire, {}, anthropic));
    expect(value).toMatchObject({ model: 'claude', system: SYSTEM_PLACEHOLDER, truncated_to: null });
    expect(value).not.toHaveProperty('metadata');
    expect(value.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: 't1',
            name: 'bash',
            input: { cmd: 'cat /home/user/x', env: { DB_PASSWORD: '[redacted: password]' } },
          },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'owner user' }] },
    ]);
  });

  it('drops results without a call', () => {
    const wire = [user('a'), call('1'), result('1', 'ok'), { role: 'assistant', content: 'done' }, result('9', 'lost')];
    expect(fileOf(scrub(wire)).messages).toHaveLength(4);
  });

  it('names pictures instead of showing them', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(9)}` } };
    const { messages } = fileOf(scrub([{ role: 'user', content: [{ type: 'text', text: 'see' }, image] }]));
    expect(messages[0]?.content).toEqual([
      { type: 'text', text: 'see' },
      { type: 'text', text: '[image removed]' },
    ]);
  });

  it('reaches keys, unknown fields and texts that are JSON', () => {
    const wire = [
      { ...user('/home/teknium'), metadata: { '/home/teknium/a': ['by teknium'] } },
      call('1', '{"files":{"/home/teknium/a":"x"},"n":12345678901234567890}'),
      result('1', '{"owner": "teknium"}'),
    ];
    const text = JSON.stringify(fileOf(scrub(wire)).messages);
    expect(text).not.toContain('teknium');
    expect(text).toContain('12345678901234567890');
  });
});

describe('sizes', () => {
  it('cut long outputs in the middle, and say how long they were', () => {
    const cut = cutMiddle(`start${'x'.repeat(5000)}end`, 1000);
    expect(cut.length).toBeLessThanOrEqual(1000);
    expect(cut).toMatch(/^startx+\n\[… cut by precis scrub: this output had 5008 characters …\]\nx+end$/);
    const wire = [user('a'), call('1'), result('1', 'y'.repeat(3000))];
    const once = scrub(wire, { maxOutput: 500 });
    expect(once.counts).toEqual([{ rule: 'long output', count: 1 }]);
    expect(scrub(fileOf(once), { maxOutput: 500 }).sessions[0]?.text).toBe(once.sessions[0]?.text);
  });

  it('never cut a secret in two', () => {
    const secret = `ghp_${'aB3dE6fG'.repeat(5)}`;
    const wire = [user('a'), call('1'), result('1', `${'x '.repeat(120)}${secret}${' x'.repeat(3000)}`)];
    expect(scrub(wire, { maxOutput: 400 }).sessions[0]?.text).not.toContain('ghp_');
  });

  const long = [
    user('task'),
    ...Array.from({ length: 40 }, (_, n) => [call(`${n}`), result(`${n}`, 'z'.repeat(1000))]).flat(),
  ];

  it('cut a session between steps, and say where', () => {
    const { sessions } = scrub(long, { maxSize: 20_000 });
    const value = fileOf(scrub(long, { maxSize: 20_000 }));
    expect(sessions[0]?.bytes).toBeLessThanOrEqual(20_000);
    expect(value['truncated_to']).toBe(value.messages.length - 1);
    expect(value.messages.at(-1)?.role).toBe('tool');
    expect(scrub(value, { maxSize: 20_000 }).sessions[0]?.text).toBe(sessions[0]?.text);
  });

  it('share what all may have, and the small ones stay whole', () => {
    const { conversation } = openaiChat.decode(long);
    const small = openaiChat.decode([user('small')]).conversation;
    const input = { source: 's', format: openaiChat };
    const { sessions } = scrubSessions(
      [
        { ...input, name: 'a', conversation },
        { ...input, name: 'b', conversation: small },
        { ...input, name: 'c', conversation },
      ],
      { maxTotal: 40_000 },
    );
    expect(sessions.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(40_000);
    expect(sessions.map(({ truncatedTo }) => truncatedTo === null)).toEqual([false, true, false]);
  });

  it('that hold nothing are refused', () => {
    expect(() => scrub([user('a'.repeat(5000)), call('1'), result('1', 'b')], { maxSize: 3000 })).toThrow('--max-size');
  });
});

it('learns from all sessions before it scrubs the first', () => {
  const input = { source: 's', format: openaiChat };
  const { sessions } = scrubSessions([
    { ...input, name: 'a', conversation: openaiChat.decode([user('ask teknium')]).conversation },
    { ...input, name: 'by-teknium', conversation: openaiChat.decode([user('cd /home/teknium')]).conversation },
  ]);
  expect(sessions[0]?.text).toContain('ask user');
  expect(sessions[1]?.folder).toBe('by-user');
});

it('reports counts by rule, and never what was replaced', () => {
  const text = reportText(reportOf(scrub([user('/home/teknium teknium a.b@c.io')])));
  expect(text).toContain('personal handle      1\n');
  expect(text).toContain('Audit: nothing left.');
  expect(text).not.toMatch(/teknium|c\.io/);
});

it('the audit finds what a rule would find, and every original', () => {
  const report = reportOf({
    ...scrub([user('x')]),
    sessions: [{ folder: 's', text: '', bytes: 1, messages: 1, truncatedTo: null, left: [{ rule: 'JWT', count: 2 }] }],
  });
  expect(report.ok).toBe(false);
  expect(reportText(report)).toContain('Audit: failed.\n  s: JWT, 2 left');
});
