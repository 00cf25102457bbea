import type { Wire } from '../said.ts';
import {
  type Checker,
  type CheckerOptions,
  hasBlankText,
  isJson,
  isRecord,
  listIn,
  records,
  unpaired,
} from './checker.ts';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

export function openaiChatChecker({ hasReminders }: CheckerOptions): Checker {
  return {
    check(request) {
      const messages = listIn(request, 'messages');
      return [...rolesOf(messages, hasReminders), ...messages.flatMap(contentOf), ...pairsOf(messages)];
    },
    sign: (_request, answer) => answer,
  };
}

function rolesOf(messages: readonly Wire[], hasReminders: boolean): string[] {
  const faults: string[] = [];
  const spoken = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  for (const [at, { role }] of messages.entries()) {
    if (!ROLES.has(role)) faults.push(`CHAT-5: message ${at}: unknown role`);
    const isLate = (role === 'system' || role === 'developer') && at > spoken;
    if (isLate && !hasReminders) faults.push(`CHAT-5: message ${at}: a system message after the others`);
  }
  if (messages.at(-1)?.['role'] === 'assistant') faults.push('CHAT-5: the last message is of the assistant');
  if (!messages.some(({ role }) => role === 'user')) faults.push('CHAT-5: there is no message of the user');
  return faults;
}

function contentOf(message: Wire, at: number): string[] {
  const { role, content } = message;
  const calls = records(message['tool_calls']);
  if (message['tool_calls'] !== undefined && calls.length === 0)
    return [`CHAT-1: message ${at}: an empty list of calls`];
  if (role === 'tool') return content === undefined || content === null ? [`CHAT-4: message ${at}: no content`] : [];
  if (role !== 'assistant' || calls.length === 0)
    return hasBlankText(content) ? [`CHAT-4: message ${at}: empty content`] : [];
  return calls.flatMap((call) => {
    const called = isRecord(call['function']) ? call['function'] : {};
    const isCall = typeof called['name'] === 'string' && called['name'] !== '' && isJson(called['arguments']);
    return isCall ? [] : [`CHAT-3: message ${at}: a call without a name or with arguments that are not JSON`];
  });
}

function pairsOf(messages: readonly Wire[]): string[] {
  const faults: string[] = [];
  let at = 0;
  while (at < messages.length) {
    const message = messages[at];
    const calls = message?.['role'] === 'assistant' ? records(message['tool_calls']).map(({ id }) => id) : [];
    const results: unknown[] = [];
    let end = at + 1;
    for (; messages[end]?.['role'] === 'tool'; end++) results.push(messages[end]?.['tool_call_id']);
    const fault = unpaired(calls, results);
    if (fault !== null) faults.push(`CHAT-1: message ${at}: ${fault}`);
    at = end;
  }
  if (messages[0]?.['role'] === 'tool') faults.push('CHAT-2: the first message is a result');
  return faults;
}
