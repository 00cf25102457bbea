import type { AssistantEntry, Entry, WireObject } from './entry.ts';

/** AI SDK messages; consecutive results stand in one message. */
export function writeAiSdk(entries: readonly Entry[]): readonly WireObject[] {
  const messages: WireObject[] = [];
  const tools = new Map<string, string>();
  let results: WireObject[] = [];
  for (const entry of entries) {
    if (entry.role === 'tool') {
      if (results.length === 0) messages.push({ role: 'tool', content: results });
      const output = { type: entry.failed ? 'error-text' : 'text', value: entry.text };
      const toolName = tools.get(entry.id) ?? 'unknown';
      results.push({ type: 'tool-result', toolCallId: entry.id, toolName, output });
      continue;
    }
    results = [];
    if (entry.role === 'assistant') for (const { id, tool } of entry.calls) tools.set(id, tool);
    messages.push({ role: entry.role, content: entry.role === 'assistant' ? partsOf(entry) : entry.text });
  }
  return messages;
}

function partsOf({ reasoning, text, calls }: AssistantEntry): readonly WireObject[] {
  const signed =
    reasoning?.signature == null ? {} : { providerOptions: { anthropic: { signature: reasoning.signature } } };
  return [
    ...(reasoning === null ? [] : [{ type: 'reasoning', text: reasoning.text, ...signed }]),
    ...(text === null ? [] : [{ type: 'text', text }]),
    // Arguments given as text are sent as they are.
    ...calls.map(({ id, tool, args }) => ({ type: 'tool-call', toolCallId: id, toolName: tool, input: args })),
  ];
}
