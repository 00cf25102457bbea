import { DynamicStructuredTool } from '@langchain/core/tools';
import { jsonSchema, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Surroundings } from '../core/conversation/surroundings.ts';
import type { Format } from '../core/format.ts';
import { aiSdk, anthropic, gemini, langChain, openaiChat, openaiResponses } from './index.ts';

const user = { role: 'user', content: 'hi' };
const schema = { type: 'object', properties: { path: { type: 'string', description: 'Where' } } };
const around = (format: Format, request: unknown): Surroundings =>
  format.surroundings(format.decode(request).conversation);

describe('the request around the messages', () => {
  it('is read for chat: tools, old functions, the form of the answer', () => {
    const tools = [{ type: 'function', function: { name: 'read', parameters: schema } }];
    const functions = [{ name: 'old', parameters: schema }];
    const format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
    const request = {
      messages: [user],
      tools,
      functions,
      response_format: format,
      max_completion_tokens: 900,
      max_tokens: 5,
    };
    expect(around(openaiChat, request)).toEqual({
      tools: [tools, functions, format].map((value) => JSON.stringify(value)).join('\n'),
      output: 900,
      server: null,
    });
  });

  it('is read for Anthropic, without tools that are loaded only on demand', () => {
    const read = { name: 'read', input_schema: schema };
    const request = {
      messages: [user],
      tools: [read, { name: 'rare', defer_loading: true, input_schema: schema }],
      max_tokens: 64,
    };
    expect(around(anthropic, request)).toEqual({ tools: JSON.stringify([read]), output: 64, server: null });
  });

  it('is read for Responses', () => {
    const tools = [{ type: 'function', name: 'read', parameters: schema }, { type: 'web_search' }];
    const text = { format: { type: 'json_schema', name: 'a', schema } };
    expect(around(openaiResponses, { input: 'hi', tools, text, max_output_tokens: 7 })).toEqual({
      tools: `${JSON.stringify(tools)}\n${JSON.stringify(text.format)}`,
      output: 7,
      server: null,
    });
  });

  it('is read for Gemini, from a request and from the settings of its SDK', () => {
    const contents = [{ parts: [{ text: 'hi' }] }];
    const tools = [{ functionDeclarations: [{ name: 'read', parameters: schema }] }];
    const sent = { contents, tools, generationConfig: { maxOutputTokens: 5, responseSchema: schema } };
    expect(around(gemini, sent)).toEqual({
      tools: `${JSON.stringify(tools)}\n${JSON.stringify(schema)}`,
      output: 5,
      server: null,
    });
    const config = { systemInstruction: 'Be brief.', tools, maxOutputTokens: 6 };
    expect(around(gemini, { contents, config })).toEqual({
      tools: `"Be brief."\n${JSON.stringify(tools)}`,
      output: 6,
      server: null,
    });
  });

  it('is read for the AI SDK, whose tools hold code and the schemas of a library', () => {
    const tools = {
      zod: tool({
        description: 'Reads',
        inputSchema: z.object({ path: z.string().describe('Where') }),
        execute: async () => 'x',
      }),
      json: tool({ description: 'Writes', inputSchema: jsonSchema({ type: 'object', properties: {} }) }),
    };
    const read = around(aiSdk, { messages: [user], system: 'Be brief.', tools, maxOutputTokens: 8 });
    const [system, definitions = ''] = read.tools.split('\n');
    expect([system, read.output]).toEqual(['"Be brief."', 8]);
    expect(JSON.parse(definitions)).toEqual({
      zod: { description: 'Reads', inputSchema: expect.objectContaining({ ...schema }) },
      json: { description: 'Writes', inputSchema: { type: 'object', properties: {} } },
    });
  });

  it('outlines the schema of a library that gives no JSON schema', () => {
    const text = { _def: { typeName: 'ZodString', description: 'Where' } };
    const old = {
      _def: { typeName: 'ZodObject', shape: () => ({ path: { _def: { typeName: 'ZodOptional', innerType: text } } }) },
    };
    const read = around(aiSdk, { messages: [user], tools: { old: { inputSchema: old } } });
    expect(JSON.parse(read.tools)).toEqual({
      old: {
        inputSchema: {
          type: 'ZodObject',
          properties: { path: { type: 'ZodOptional', of: { type: 'ZodString', description: 'Where' } } },
        },
      },
    });
  });

  it('is read for LangChain, whose tools are instances', () => {
    const made = new DynamicStructuredTool({ name: 'read', description: 'Reads', schema, func: async () => 'x' });
    const request = { messages: [{ type: 'human', data: { content: 'hi' } }], tools: [made], maxTokens: 3 };
    expect(around(langChain, request)).toEqual({
      tools: JSON.stringify([{ name: 'read', description: 'Reads', schema }]),
      output: 3,
      server: null,
    });
  });

  it('is empty without one, and never throws', () => {
    const circle: Record<string, unknown> = { name: 'x' };
    circle['self'] = circle;
    for (const request of [
      [user],
      { messages: [user] },
      { messages: [user], tools: [], max_tokens: '9' },
      { messages: [user], tools: [circle] },
    ])
      expect(around(openaiChat, request)).toEqual({ tools: '', output: null, server: null });
    const bytes = { messages: [user], tools: { look: { description: 'x', icon: new Uint8Array(5_000_000) } } };
    expect(around(aiSdk, bytes).tools).toBe('{"look":{"description":"x","icon":"[5000000 bytes]"}}');
  });
});
