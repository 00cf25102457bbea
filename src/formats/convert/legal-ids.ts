import type { Lose, PlainMessage } from './plain.ts';

/** Gives every call an id that is a single word and unique, as some providers demand; some servers write `functions.read:0`, and reuse it later. */
export function withLegalIds(messages: readonly PlainMessage[], lose: Lose): readonly PlainMessage[] {
  const used = new Set<string>();
  /** The newest id for each original one: results follow their calls. */
  const current = new Map<string, string>();
  const rename = (callId: string, index: number): string => {
    const word = callId.replaceAll(/[^\w-]/g, '_') || 'call';
    let id = word;
    for (let count = 2; used.has(id); count++) id = `${word}_${count}`;
    used.add(id);
    current.set(callId, id);
    if (id !== callId) lose(index, `the id of the call \`${callId}\` is \`${id}\` now`);
    return id;
  };
  return messages.map((message): PlainMessage => {
    const { index } = message;
    if (message.role === 'tool')
      return {
        ...message,
        results: message.results.map((result) => ({ ...result, callId: current.get(result.callId) ?? result.callId })),
      };
    if (message.role !== 'assistant') return message;
    const content = message.content.map((part) =>
      part.type === 'tool-call' ? { ...part, callId: rename(part.callId, index) } : part,
    );
    return { ...message, content };
  });
}
