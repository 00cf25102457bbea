import type { ChatCall } from './chat-log.ts';
import { argumentsText, isRecord, parseJson, stringOf } from './fields.ts';

/**
 * For agents that act in text: the answer ends in a command, and the next message is its output. Reading them as calls and results keeps output apart
 * from the user's words. Calls get ids by order.
 */

/** A shell command. */
export function shellCall(id: string, command: string): ChatCall {
  return { id, name: 'bash', arguments: JSON.stringify({ command: command.trim() }) };
}

/** A call written as code, such as `get_logs("shop", "cart")`. */
export function codeCall(id: string, code: string): ChatCall {
  const text = code.trim();
  const match = /^([\w.]+)\(([\s\S]*)\)$/.exec(text);
  if (match === null) return { id, name: 'action', arguments: JSON.stringify({ text }) };
  const [, name = 'action', inner = ''] = match;
  const command = jsonString(inner.trim());
  const input = command !== null && /shell|bash|exec/.test(name) ? { command } : { arguments: inner.trim() };
  return { id, name, arguments: JSON.stringify(input) };
}

export interface TaggedText {
  readonly text: string;
  readonly calls: readonly ChatCall[];
}

/** Splits off calls between tags, as many open models write them: `<tool_call>{"name": …, "arguments": …}</tool_call>`. */
export function taggedCalls(content: string, makeId: () => string): TaggedText {
  const calls: ChatCall[] = [];
  const text = content.replaceAll(/<tool_call>([\s\S]*?)<\/tool_call>/g, (whole, body: string) => {
    const value = parseJson(body);
    const name = isRecord(value) ? stringOf(value['name']) : undefined;
    if (!isRecord(value) || name === undefined) return whole;
    calls.push({ id: makeId(), name, arguments: argumentsText(value['arguments']) });
    return '';
  });
  return { text: calls.length === 0 ? content : text.trim(), calls };
}

/** The outputs of a text that holds nothing else, each between tags; null for any other text. */
export function taggedResults(content: string): readonly string[] | null {
  if (!/^\s*<tool_response>/.test(content)) return null;
  const results = [...content.matchAll(/<tool_response>\n?([\s\S]*?)\n?<\/tool_response>/g)].map(
    (match) => match[1] ?? '',
  );
  return results.length === 0 ? null : results;
}

function jsonString(text: string): string | null {
  const value = parseJson(text);
  return typeof value === 'string' ? value : null;
}
