/** A session of our own making, long enough to be worth compacting. */

export interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly unknown[];
  readonly tool_call_id?: string;
}

const FILES = ['parser', 'lexer', 'printer', 'cache', 'config', 'server', 'router', 'store'] as const;

function listing(name: string, lines: number): string {
  return Array.from(
    { length: lines },
    (_, at) => `${at + 1}: export const ${name}${at} = read('${name}', ${at * 7});`,
  ).join('\n');
}

/** `steps` reads of files between a task and a last question. */
export function chatSession(steps = 8, lines = 60): readonly ChatMessage[] {
  const middle = Array.from({ length: steps }, (_, at): readonly ChatMessage[] => {
    const name = FILES[at % FILES.length] ?? 'parser';
    const id = `call_${at}`;
    const call = { id, type: 'function', function: { name: 'read_file', arguments: `{"path":"src/${name}${at}.ts"}` } };
    return [
      { role: 'assistant', content: `Now src/${name}${at}.ts, which the ${name} needs.`, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: listing(name, lines) },
    ];
  });
  return [
    { role: 'system', content: 'You are a careful programmer.' },
    { role: 'user', content: 'Rename readAll to readEach. Never touch src/legacy.ts.' },
    ...middle.flat(),
    { role: 'assistant', content: 'Every caller uses readEach now.' },
    { role: 'user', content: 'Did you leave src/legacy.ts alone?' },
  ];
}

/** The same in the other format, with a request around it. */
export function anthropicSession(steps = 8, lines = 60): object {
  const messages = chatSession(steps, lines)
    .slice(1)
    .map((message) => {
      if (message.tool_call_id !== undefined)
        return {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: message.content }],
        };
      if (message.tool_calls === undefined) return { role: message.role, content: message.content };
      const [call] = message.tool_calls as readonly { id: string; function: { name: string; arguments: string } }[];
      const input = JSON.parse(call?.function.arguments ?? '{}') as unknown;
      return {
        role: 'assistant',
        content: [
          { type: 'text', text: message.content },
          { type: 'tool_use', id: call?.id, name: call?.function.name, input },
        ],
      };
    });
  return {
    model: 'claude-sonnet-5',
    max_tokens: 1000,
    system: 'You are a careful programmer.',
    tools: [{ name: 'read_file', input_schema: { type: 'object' } }],
    messages,
    temperature: 0.5,
  };
}

export function jsonl(messages: readonly unknown[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}
