import type { WireCall, WireMessage } from '../types.ts';
import { argumentsOf, toolNames } from './call-arguments.ts';

/** The blocks of cline's messages that a session of text and tools has. */
export type ClineBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | ClineResult;

interface ClineResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly name?: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

export interface ClineMessage {
  readonly id?: string;
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly ClineBlock[];
  readonly ts?: number;
}

/** As its runtime hands them over: each result is a message of its own. The system message is not among them. */
export function clineMessages(
  messages: readonly WireMessage[],
  { from, ts }: { readonly from: number; readonly ts: number },
): readonly ClineMessage[] {
  const names = toolNames(messages);
  return messages
    .filter(({ role }) => role !== 'system')
    .map((message, index) => ({
      id: `msg_${from + index + 1}`,
      role: message.role === 'assistant' ? 'assistant' : 'user',
      content: blocksOf(message, names),
      ts,
    }));
}

/** Results that follow each other become one message, as its runtime does before a request. */
export function mergeResults(messages: readonly ClineMessage[]): readonly ClineMessage[] {
  const merged: ClineMessage[] = [];
  for (const { role, content } of messages) {
    const last = merged.at(-1);
    if (last !== undefined && isResults(content) && isResults(last.content)) {
      merged[merged.length - 1] = { role, content: [...last.content, ...content] };
    } else merged.push({ role, content });
  }
  return merged;
}

export function wireOfCline(messages: readonly ClineMessage[]): readonly WireMessage[] {
  return messages.flatMap(({ role, content }): readonly WireMessage[] => {
    if (typeof content === 'string') return [{ role, content }];
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (role === 'assistant') {
      const calls = content.flatMap(callOf);
      return [{ role, content: text === '' ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
    }
    const results = content.flatMap((block): readonly WireMessage[] =>
      block.type === 'tool_result'
        ? [{ role: 'tool', tool_call_id: block.tool_use_id, content: resultText(block.content) }]
        : [],
    );
    return text === '' ? results : [...results, { role, content: text }];
  });
}

function blocksOf(message: WireMessage, names: ReadonlyMap<string, string>): readonly ClineBlock[] {
  const text = message.content ?? '';
  if (message.role === 'tool') {
    const id = message.tool_call_id ?? '';
    return [{ type: 'tool_result', tool_use_id: id, name: names.get(id) ?? 'unknown', content: text }];
  }
  const calls = (message.tool_calls ?? []).map(
    (call): ClineBlock => ({ type: 'tool_use', id: call.id, name: call.function.name, input: argumentsOf(call) }),
  );
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
}

function isResults(content: ClineMessage['content']): content is readonly ClineResult[] {
  return typeof content !== 'string' && content.length > 0 && content.every(({ type }) => type === 'tool_result');
}

function callOf(block: ClineBlock): readonly WireCall[] {
  if (block.type !== 'tool_use') return [];
  const { id, name, input } = block;
  return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
}

function resultText(content: ClineResult['content']): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');
}
