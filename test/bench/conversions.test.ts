import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { fromSdk, toSdk } from '../../bench/peers/arms/ai-sdk.ts';
import { askedOf, fromGemini, toGemini } from '../../bench/peers/arms/gemini-contents.ts';
import { fromLangchain, type Messages, toLangchain } from '../../bench/peers/arms/langchain.ts';
import type { WireMessage } from '../../bench/peers/types.ts';

const CALLS: WireMessage = {
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x.ts"}' } },
    { id: 'b', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
  ],
};
const RESULTS: readonly WireMessage[] = [
  { role: 'tool', tool_call_id: 'a', content: 'const x = 1;' },
  { role: 'tool', tool_call_id: 'b', content: '' },
];
const SESSION: readonly WireMessage[] = [
  { role: 'user', content: 'Read x.ts.' },
  CALLS,
  ...RESULTS,
  { role: 'assistant', content: 'It holds x.' },
  { role: 'user', content: 'Thanks.' },
];

// The classes of our own copy stand in for those of an installed peer.
const MESSAGES = { AIMessage, HumanMessage, ToolMessage } as unknown as Messages;

describe('messages of peers', () => {
  it('come back as they went in', () => {
    const system: WireMessage = { role: 'system', content: 'You are an agent.' };
    expect(fromSdk(toSdk([system, ...SESSION], []))).toEqual([system, ...SESSION]);
    expect(SESSION.map((message) => fromLangchain(toLangchain(message, MESSAGES)))).toEqual(SESSION);
    expect(fromGemini(toGemini(SESSION, new Map()))).toEqual(SESSION);
  });

  it('find the name of a tool also when its call came with an earlier part', () => {
    const names = new Map<string, string>();
    toGemini([CALLS], names);
    const contents = toGemini(RESULTS, names);
    expect(contents).toHaveLength(1);
    expect(contents[0]?.parts.map((part) => part.functionResponse?.name)).toEqual(['read', 'bash']);
    const [first] = toSdk(RESULTS, toSdk([CALLS], []));
    expect(first?.content).toMatchObject([{ toolName: 'read' }]);
  });

  it('wrap arguments that are no JSON', () => {
    const odd: WireMessage = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: 'x.ts' } }],
    };
    expect(fromGemini(toGemini([odd], new Map()))[0]?.tool_calls?.[0]?.function.arguments).toBe('{"arguments":"x.ts"}');
  });

  it('put what the user typed after results of the same content', () => {
    const [results] = toGemini(RESULTS, new Map());
    const merged = { role: 'user', parts: [...(results?.parts ?? []), { text: 'Go on.' }] } as const;
    expect(fromGemini([merged])).toEqual([...RESULTS, { role: 'user', content: 'Go on.' }]);
  });

  it('show a summariser that takes text alone the calls and results too', () => {
    const text = askedOf(toGemini(SESSION, new Map()))
      .map(({ role, content }) => `${role}: ${content}`)
      .join('\n');
    expect(text).toMatchInlineSnapshot(`
      "user: Read x.ts.
      assistant: [call read {"path":"x.ts"}]
      [call bash {"command":"ls"}]
      user: [result of read]
      const x = 1;
      [result of bash]

      assistant: It holds x.
      user: Thanks."
    `);
  });
});
