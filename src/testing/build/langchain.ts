import { type AssistantEntry, argumentsObject, type Call, type Entry, type WireObject } from './entry.ts';

/** LangChain messages in their stored form. */
export function writeLangChain(entries: readonly Entry[]): readonly WireObject[] {
  const tools = new Map<string, string>();
  return entries.map((entry): WireObject => {
    switch (entry.role) {
      case 'system':
        return { type: 'system', data: { content: entry.text } };
      case 'user':
        return { type: 'human', data: { content: entry.text } };
      case 'tool': {
        const { id, text, failed } = entry;
        const status = failed ? 'error' : 'success';
        return { type: 'tool', data: { content: text, tool_call_id: id, name: tools.get(id) ?? 'unknown', status } };
      }
      case 'assistant':
        for (const { id, tool } of entry.calls) tools.set(id, tool);
        return { type: 'ai', data: answerOf(entry) };
    }
  });
}

/** Signed reasoning is a content block, other reasoning stands in `additional_kwargs`. */
function answerOf({ reasoning, text, calls }: AssistantEntry): WireObject {
  const signature = reasoning?.signature ?? null;
  const words = text === null ? [] : [{ type: 'text', text }];
  const thought = { type: 'thinking', thinking: reasoning?.text, signature };
  return {
    content: signature === null ? (text ?? '') : [thought, ...words],
    ...(reasoning === null || signature !== null ? {} : { additional_kwargs: { reasoning_content: reasoning.text } }),
    tool_calls: calls.map(callOf),
  };
}

function callOf({ id, tool, args }: Call): WireObject {
  return { type: 'tool_call', id, name: tool, args: argumentsObject(args) };
}
