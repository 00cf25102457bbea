import type { Wire } from '../said.ts';
import { type Checker, type CheckerOptions, hasBlankText, isRecord, listIn, records, unpaired } from './checker.ts';
import {
  type BoundBlock,
  type BoundMessage,
  createThinkingBinding,
  digestOfBlock,
  opensWithThinking,
} from './thinking-binding.ts';

export function aiSdkChecker({ hasReminders }: CheckerOptions): Checker {
  const binding = createThinkingBinding();
  const known = new WeakMap<Wire, BoundMessage>();
  const bound = (messages: readonly Wire[]): readonly BoundMessage[] =>
    messages.map((message) => {
      const before = known.get(message);
      if (before !== undefined) return before;
      // The SDK sends results to Anthropic in a message of the user.
      const role = message['role'] === 'tool' ? 'user' : String(message['role']);
      const read = { role, blocks: partsOf(message).map(boundBlock) };
      known.set(message, read);
      return read;
    });
  return {
    check(request) {
      const messages = listIn(request, 'messages');
      const faults = [...rolesOf(messages, hasReminders), ...pairsOf(messages)];
      const read = bound(messages);
      if (isThinking(request) && !opensWithThinking(read))
        faults.push('ANT-4: the run of calls under way does not start with thinking');
      return [...faults, ...binding.check(headOf(request), read)];
    },
    sign(request, answer) {
      const before = bound(listIn(request, 'messages'));
      return answer.map((message) => ({
        ...message,
        content: partsOf(message).map((part) => {
          if (part['type'] !== 'reasoning') return part;
          const signature = binding.sign(headOf(request), before, String(part['text']));
          return { ...part, providerOptions: { anthropic: { signature } } };
        }),
      }));
    },
  };
}

function headOf(request: unknown): string {
  return isRecord(request) ? digestOfBlock([request['system'], request['tools']]) : '';
}

function isThinking(request: unknown): boolean {
  const options = isRecord(request) && isRecord(request['providerOptions']) ? request['providerOptions'] : {};
  return isRecord(options['anthropic']) && isRecord(options['anthropic']['thinking']);
}

function partsOf({ content }: Wire): readonly Wire[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : records(content);
}

function boundBlock(part: Wire): BoundBlock {
  const { type } = part;
  const options = isRecord(part['providerOptions']) ? part['providerOptions']['anthropic'] : null;
  if (type === 'reasoning' && isRecord(options))
    return { type: 'thinking', text: String(part['text']), signature: String(options['signature']) };
  return { type: 'other', digest: digestOfBlock(part), isCall: type === 'tool-call', isResult: type === 'tool-result' };
}

function rolesOf(messages: readonly Wire[], hasReminders: boolean): string[] {
  const faults = messages.flatMap((message, at) => {
    const { role, content } = message;
    const found: string[] = [];
    if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool')
      found.push(`AIS: message ${at}: unknown role`);
    if (role === 'system' && !hasReminders) found.push(`AIS-4: message ${at}: a system message`);
    if (hasBlankText(content)) found.push(`AIS: message ${at}: empty content`);
    return found;
  });
  if (messages.at(-1)?.['role'] === 'assistant') faults.push('AIS: the last message is of the assistant');
  if (messages.find(({ role }) => role !== 'system')?.['role'] !== 'user')
    faults.push('ANT-3: the first message is not of the user');
  return faults;
}

/** Results of calls that the provider ran are in the assistant's message; all others are in the messages right after it. */
function pairsOf(messages: readonly Wire[]): string[] {
  const faults: string[] = [];
  let at = 0;
  while (at < messages.length) {
    const parts = partsOf(messages[at] ?? {});
    const calls = parts.filter(({ type }) => type === 'tool-call');
    const hosted = parts.filter(({ type }) => type === 'tool-result');
    const own = messages[at]?.['role'] === 'assistant' ? hosted : [];
    const results: unknown[] = own.map((part) => part['toolCallId']);
    let end = messages[at]?.['role'] === 'tool' ? at : at + 1;
    for (; messages[end]?.['role'] === 'tool'; end++)
      for (const part of partsOf(messages[end] ?? {}))
        if (part['type'] === 'tool-result') results.push(part['toolCallId']);
    const fault = unpaired(
      messages[at]?.['role'] === 'assistant' ? calls.map((part) => part['toolCallId']) : [],
      results,
    );
    if (fault !== null) faults.push(`AIS-1: message ${at}: ${fault}`);
    at = Math.max(end, at + 1);
  }
  return faults;
}
