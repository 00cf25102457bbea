import {
  type AssistantEntry,
  argumentsObject,
  type Entry,
  splitPrompt,
  type ToolEntry,
  type WireObject,
} from './entry.ts';

/** The part of an Anthropic request that holds the conversation. */
export interface BuiltRequest {
  /** The leading system texts; absent when there are none. */
  readonly system?: string;
  /** All other messages. */
  readonly messages: readonly WireObject[];
}

/** Leading system texts become the system prompt; consecutive results stand in one user message. */
export function writeAnthropic(entries: readonly Entry[]): BuiltRequest {
  const { prompt: system, rest } = splitPrompt(entries);
  const messages: WireObject[] = [];
  let results: WireObject[] = [];
  for (const entry of rest) {
    if (entry.role === 'tool') {
      if (results.length === 0) {
        results = [];
        messages.push({ role: 'user', content: results });
      }
      results.push(anthropicResult(entry));
      continue;
    }
    results = [];
    messages.push(entry.role === 'assistant' ? anthropicAssistant(entry) : { role: entry.role, content: entry.text });
  }
  return { ...(system === '' ? {} : { system }), messages };
}

function anthropicResult(entry: ToolEntry): WireObject {
  return {
    type: 'tool_result',
    tool_use_id: entry.id,
    content: entry.text,
    ...(entry.failed ? { is_error: true } : {}),
  };
}

function anthropicAssistant({ text, reasoning, calls }: AssistantEntry): WireObject {
  return {
    role: 'assistant',
    content: [
      ...(reasoning === null
        ? []
        : [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.signature ?? '' }]),
      ...(text === null ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: argumentsObject(args) })),
    ],
  };
}
