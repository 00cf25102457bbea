import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, toolCallsOf } from '../../core/conversation/message.ts';
import { isEmptyMessage, isLateSystem } from '../message-rules.ts';
import { pairIssues } from '../pairs/issues.ts';

/** Rules CHAT-1 to CHAT-5. Input that only some servers refuse is accepted, but no edit may produce it. */
export function checkChat({ messages }: Conversation): readonly SoundnessIssue[] {
  return [
    ...pairIssues(messages, { answered: 'CHAT-1', called: 'CHAT-2' }),
    ...messages.flatMap((message, index) => messageIssues(message, index, messages)),
  ];
}

function messageIssues(message: Message, index: number, messages: readonly Message[]): readonly SoundnessIssue[] {
  const issues: SoundnessIssue[] = [];
  if (toolCallsOf(message).some((call) => typeof call.arguments !== 'string')) {
    issues.push({ rule: 'CHAT-3', message: index, text: 'the arguments of a tool call must be a string' });
  }
  if (isEmptyMessage(message))
    issues.push({ rule: 'CHAT-4', message: index, text: `${message.role} message has no content` });
  if (isLateSystem(message, index, messages))
    issues.push({ rule: 'CHAT-5', message: index, text: 'a new system message must stand before all others' });
  return issues;
}
