import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, toolCallsOf } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import { parseObject } from '../json-object.ts';
import { isEmptyMessage, isLateSystem } from '../message-rules.ts';
import { pairIssues } from '../pairs/issues.ts';
import { serverIssues, serverStateOf } from '../server-state.ts';
import { encodeLangChain } from './encode.ts';
import { LANGCHAIN_SERVER } from './server.ts';

/**
 * Checks LC-1 and LC-2, and that no message is empty. Signatures and ids need no check: precis never rebuilds a signature, and an edited message
 * is a new instance with the same id.
 */
export function checkLangChain(conversation: Conversation): readonly SoundnessIssue[] {
  const { messages } = conversation;
  const server = serverStateOf(conversation, LANGCHAIN_SERVER);
  // Only the server can tell whether what it keeps and what it gets fit together.
  if (server !== null)
    return serverIssues(conversation, encodeLangChain(conversation), { ...LANGCHAIN_SERVER, server });
  return [
    ...pairIssues(messages, { answered: 'LC-1', called: 'LC-1' }),
    ...messages.flatMap((message, index) => messageIssues(message, index, messages)),
  ];
}

function messageIssues(message: Message, index: number, messages: readonly Message[]): readonly SoundnessIssue[] {
  const issues: SoundnessIssue[] = toolCallsOf(message)
    .filter(({ raw, base, arguments: text }) => raw === undefined && takesObject(base) && parseObject(text) === null)
    .map(({ callId }) => ({
      rule: 'LC-2',
      message: index,
      text: `the arguments of tool call \`${callId}\` must be a JSON object`,
    }));
  if (isEmptyMessage(message))
    issues.push({ rule: 'LC-EMPTY', message: index, text: `${message.role} message has no content` });
  const isNew = message.raw === undefined && message.base === undefined;
  if (isNew && toolCallsOf(message).length > 0)
    issues.push({ rule: 'LC-2', message: index, text: 'a new message cannot call tools' });
  if (isLateSystem(message, index, messages))
    issues.push({ rule: 'LC-SYSTEM', message: index, text: 'a new system message must stand before all others' });
  return issues;
}

/** An invalid call holds its arguments as text in every place, so any text will do. */
function takesObject(base: unknown): boolean {
  return isRecord(base) && (isRecord(base['args']) || isRecord(base['input']));
}
