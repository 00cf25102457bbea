import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, textOf } from '../../core/conversation/message.ts';
import { isEmptyMessage, isLateSystem } from '../message-rules.ts';
import { pairIssues } from '../pairs/issues.ts';
import { serverIssues, serverStateOf } from '../server-state.ts';
import { approvalIssues } from './approvals.ts';
import { encodeAiSdk } from './encode.ts';
import { AI_SDK_SERVER } from './server.ts';

/**
 * Checks the rules AIS-1 to AIS-4, and that no message is empty. Two more demands of the SDK need no check: signatures and bytes stay intact,
 * because precis never reads or rebuilds them. Neighbours with the same role are legal.
 */
export function checkAiSdk(conversation: Conversation): readonly SoundnessIssue[] {
  const { messages } = conversation;
  const server = serverStateOf(conversation, AI_SDK_SERVER);
  // Only the server can tell whether what it keeps and what it gets fit together.
  if (server !== null) return serverIssues(conversation, encodeAiSdk(conversation), { ...AI_SDK_SERVER, server });
  return [
    ...pairIssues(messages, { answered: 'AIS-2', called: 'AIS-1' }),
    ...approvalIssues(messages),
    ...messages.flatMap((message, index) => messageIssues(message, index, messages)),
  ];
}

function messageIssues(message: Message, index: number, messages: readonly Message[]): readonly SoundnessIssue[] {
  const issues: SoundnessIssue[] = [];
  if (isEmptyMessage(message) || (message.role === 'system' && textOf(message) === ''))
    issues.push({ rule: 'AIS-EMPTY', message: index, text: `${message.role} message has no content` });
  if (isLateSystem(message, index, messages))
    issues.push({ rule: 'AIS-4', message: index, text: 'a new system message must stand before all others' });
  return issues;
}
