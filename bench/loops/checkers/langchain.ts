import type { Wire } from '../said.ts';
import { type Checker, type CheckerOptions, hasBlankText, isRecord, listIn, records, unpaired } from './checker.ts';

const TYPES: ReadonlySet<unknown> = new Set(['human', 'ai', 'system', 'tool']);

export function langChainChecker({ hasReminders }: CheckerOptions): Checker {
  return {
    check(request) {
      const messages = listIn(request, 'messages');
      return [...typesOf(messages, hasReminders), ...pairsOf(messages)];
    },
    sign: (_request, answer) => answer,
  };
}

function dataOf(message: Wire | undefined): Wire {
  return isRecord(message?.['data']) ? message['data'] : {};
}

function typesOf(messages: readonly Wire[], hasReminders: boolean): string[] {
  const faults = messages.flatMap((message, at) => {
    const { type } = message;
    const data = dataOf(message);
    const isCalling = records(data['tool_calls']).length > 0;
    const found: string[] = [];
    if (!TYPES.has(type)) found.push(`LC: message ${at}: unknown type`);
    if (type === 'system' && at > 0 && !hasReminders) found.push(`LC: message ${at}: a system message after the first`);
    if (type !== 'tool' && !isCalling && hasBlankText(data['content'])) found.push(`LC: message ${at}: empty content`);
    return found;
  });
  if (messages.at(-1)?.['type'] === 'ai') faults.push('LC: the last message is of the model');
  return faults;
}

function pairsOf(messages: readonly Wire[]): string[] {
  const faults: string[] = [];
  let at = 0;
  while (at < messages.length) {
    const calls = records(dataOf(messages[at])['tool_calls']).map(({ id }) => id);
    const results: unknown[] = [];
    let end = at + 1;
    for (; messages[end]?.['type'] === 'tool'; end++) results.push(dataOf(messages[end])['tool_call_id']);
    const fault = unpaired(calls, results);
    if (fault !== null) faults.push(`LC-1: message ${at}: ${fault}`);
    at = end;
  }
  return faults;
}
