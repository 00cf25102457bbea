import { describe, expect, it } from 'vitest';
import type { Format } from '../../core/format.ts';
import { heuristicCounter } from '../../core/tokens/counter.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import { aiSdk, anthropic, gemini, langChain, openaiChat, openaiResponses } from '../index.ts';
import { withoutBytes } from './without-bytes.ts';

const BASE64 = 'Ab1+'.repeat(250_000);
const PNG = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ${BASE64}`;

describe('withoutBytes', () => {
  it('counts encrypted text and files as bytes, and pictures by their size', () => {
    const value = {
      encrypted_content: 'QUJD'.repeat(10),
      nested: [{ data: BASE64 }],
      result: PNG,
      buffer: new Uint8Array(9),
    };
    expect(withoutBytes(value)).toEqual({
      json: `{"encrypted_content":"[30 bytes]","nested":[{"data":"[750000 bytes]"}],"result":"[750033 bytes]","buffer":"[9 bytes]"}`,
      bytes: 750_039,
      pictures: [{ width: 1, height: 1 }],
    });
  });

  it('leaves every text that a model reads', () => {
    const value = {
      signature: 'read(path: string)',
      text: `${'word '.repeat(300)}`,
      hex: 'ab01'.repeat(300),
      run: 'A'.repeat(900),
    };
    expect(withoutBytes(value)).toEqual({ json: JSON.stringify(value), bytes: 0, pictures: [] });
  });

  it('gives an empty text for a value without JSON', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(withoutBytes(circle).json).toBe('');
    expect(withoutBytes(undefined).json).toBe('');
  });
});

describe('a picture of a million letters', () => {
  const url = `data:image/png;base64,${PNG}`;
  const chat = { type: 'image_url', image_url: { url } };
  const source = { type: 'base64', media_type: 'image/png', data: PNG };
  const user = (...content: readonly object[]): unknown => [{ role: 'user', content }];
  const cases: readonly (readonly [string, Format, unknown])[] = [
    ['chat', openaiChat, user(chat)],
    ['an unknown part of chat', openaiChat, user({ type: 'hologram', hologram: { url } })],
    ['Anthropic', anthropic, user({ type: 'image', source })],
    [
      'a hosted result of Anthropic',
      anthropic,
      user({ type: 'code_execution_tool_result', tool_use_id: 's', content: [source] }),
    ],
    ['Responses', openaiResponses, user({ type: 'input_image', image_url: url })],
    ['a generated image', openaiResponses, [{ type: 'image_generation_call', id: 'i', result: PNG }]],
    ['Gemini', gemini, [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] }]],
    [
      'a hosted response of Gemini',
      gemini,
      [{ role: 'user', parts: [{ toolResponse: { response: { image: PNG } } }] }],
    ],
    ['the AI SDK', aiSdk, user({ type: 'image', image: PNG })],
    ['a file of the AI SDK', aiSdk, user({ type: 'file', mediaType: 'image/png', data: url })],
    [
      'LangChain',
      langChain,
      [{ type: 'human', data: { content: [{ type: 'image', source_type: 'base64', data: PNG }] } }],
    ],
    ['a block of LangChain', langChain, [{ type: 'human', data: { content: [chat] } }]],
  ];

  for (const [name, format, wire] of cases)
    it(`never counts by its letters in ${name}`, () => {
      const { messages } = format.decode(wire).conversation;
      expect(createMeasure(heuristicCounter).messages(messages)).toBeLessThan(2_000);
    });
});

describe('the size of encrypted reasoning', () => {
  const SIGNED = 'QUJD'.repeat(50);
  const user = { role: 'user', content: 'hi' };
  const cases: readonly (readonly [string, Format, unknown])[] = [
    [
      'a signed thought of Anthropic',
      anthropic,
      [user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: SIGNED }] }],
    ],
    [
      'a redacted one',
      anthropic,
      [user, { role: 'assistant', content: [{ type: 'redacted_thinking', data: SIGNED }] }],
    ],
    [
      'Responses',
      openaiResponses,
      [
        { type: 'reasoning', id: 'r', summary: [], encrypted_content: SIGNED },
        { role: 'assistant', content: 'a' },
      ],
    ],
    [
      'chat',
      openaiChat,
      [{ role: 'assistant', content: 'a', reasoning_details: [{ type: 'reasoning.encrypted', data: SIGNED }] }],
    ],
    [
      'Gemini',
      gemini,
      [{ parts: [{ text: 'hi' }] }, { role: 'model', parts: [{ text: 'x', thought: true, thoughtSignature: SIGNED }] }],
    ],
    [
      'the AI SDK',
      aiSdk,
      [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: '', providerOptions: { openai: { reasoningEncryptedContent: SIGNED } } },
          ],
        },
      ],
    ],
    [
      'LangChain',
      langChain,
      [{ type: 'ai', data: { content: [{ type: 'thinking', thinking: 'x', signature: SIGNED }] } }],
    ],
    [
      'LangChain outside the content',
      langChain,
      [{ type: 'ai', data: { content: 'a', additional_kwargs: { reasoning: { encrypted_content: SIGNED } } } }],
    ],
  ];

  for (const [name, format, wire] of cases)
    it(`is known in ${name}`, () => {
      const parts = format.decode(wire).conversation.messages.flatMap((message) => message.parts);
      expect(parts.find((part) => part.type === 'reasoning')).toMatchObject({ encrypted: 150 });
    });
});
