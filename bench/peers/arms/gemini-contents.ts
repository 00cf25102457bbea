import type { AskedMessage } from '../ask.ts';
import type { WireMessage } from '../types.ts';
import { argumentsFrom } from './call-arguments.ts';

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly GeminiPart[];
}

export interface GeminiPart {
  readonly text?: string;
  readonly functionCall?: {
    readonly id: string;
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
  };
  readonly functionResponse?: {
    readonly id: string;
    readonly name: string;
    readonly response: { readonly output: string };
  };
}

/**
 * All results of one message become one content, as gemini-cli sends them. A response names its function, which the call before it tells: `names`
 * keeps them by id from one part of a session to the next.
 */
export function toGemini(messages: readonly WireMessage[], names: Map<string, string>): readonly Content[] {
  const contents: Content[] = [];
  let results: GeminiPart[] = [];
  for (const { role, content, tool_calls = [], tool_call_id = '' } of messages) {
    if (role === 'system') continue;
    if (role === 'tool') {
      const name = names.get(tool_call_id) ?? 'unknown';
      if (results.length === 0) contents.push({ role: 'user', parts: results });
      results.push({ functionResponse: { id: tool_call_id, name, response: { output: content ?? '' } } });
      continue;
    }
    results = [];
    const text = content === null || content === '' ? [] : [{ text: content }];
    if (role === 'user') {
      contents.push({ role, parts: text });
      continue;
    }
    for (const { id, function: called } of tool_calls) names.set(id, called.name);
    const calls = tool_calls.map(({ id, function: { name, arguments: args } }) => {
      return { functionCall: { id, name, args: argumentsFrom(args) } };
    });
    contents.push({ role: 'model', parts: [...text, ...calls] });
  }
  return contents;
}

export function fromGemini(contents: readonly Content[]): readonly WireMessage[] {
  return contents.flatMap(({ role, parts }): readonly WireMessage[] => {
    const content = parts.flatMap(({ text }) => text ?? []).join('\n\n');
    if (role === 'user') {
      const results = parts.flatMap(({ functionResponse }): readonly WireMessage[] => {
        if (functionResponse === undefined) return [];
        return [{ role: 'tool', tool_call_id: functionResponse.id, content: functionResponse.response.output }];
      });
      // What the user typed after the results is in the same content there.
      return content === '' ? results : [...results, { role, content }];
    }
    const calls = parts.flatMap(({ functionCall }) => {
      if (functionCall === undefined) return [];
      const { id, name, args } = functionCall;
      return [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } } as const];
    });
    if (calls.length === 0) return [{ role: 'assistant', content }];
    return [{ role: 'assistant', content: content === '' ? null : content, tool_calls: calls }];
  });
}

/** `ask` takes text alone, so calls and results are written out. */
export function askedOf(contents: readonly Content[]): readonly AskedMessage[] {
  return contents.map(({ role, parts }) => {
    const lines = parts.map(({ text, functionCall, functionResponse }) => {
      if (functionCall !== undefined) return `[call ${functionCall.name} ${JSON.stringify(functionCall.args)}]`;
      if (functionResponse !== undefined)
        return `[result of ${functionResponse.name}]\n${functionResponse.response.output}`;
      return text ?? '';
    });
    return { role: role === 'model' ? 'assistant' : 'user', content: lines.join('\n') };
  });
}
