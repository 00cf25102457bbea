import { argumentsText, type Call, type Entry, type Reasoning, type WireObject } from './entry.ts';

/** OpenAI chat messages. */
export function writeChat(entries: readonly Entry[]): readonly WireObject[] {
  return entries.map((entry): WireObject => {
    switch (entry.role) {
      case 'system':
      case 'user':
        return { role: entry.role, content: entry.text };
      case 'tool':
        return { role: 'tool', tool_call_id: entry.id, content: entry.text };
      case 'assistant':
        return {
          role: 'assistant',
          content: entry.text,
          ...chatReasoning(entry.reasoning),
          ...(entry.calls.length === 0 ? {} : { tool_calls: entry.calls.map(chatCall) }),
        };
    }
  });
}

function chatReasoning(reasoning: Reasoning | null): WireObject {
  if (reasoning === null) return {};
  const { text, signature } = reasoning;
  return signature === null
    ? { reasoning_content: text }
    : { reasoning_details: [{ type: 'reasoning.text', text, signature }] };
}

function chatCall({ id, tool, args }: Call): WireObject {
  return {
    id,
    type: 'function',
    function: { name: tool, arguments: argumentsText(args) },
  };
}
