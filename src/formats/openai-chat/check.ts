import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, toolCallsOf } from '../../core/conversation/message.ts';
import { pairIssues } from '../pairs/issues.ts';
import { hasContent, isVoid } from '../pairs/mend.ts';

/** Rules CHAT-1 to CHAT-5. What only breaks a server's taste, not the format, is accepted where it came in that way. */
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
  // An answer that is reasoning alone happens when a model is cut off; we may pass it on, but not make one.
  const isEmpty = message.raw === undefined ? !hasContent(message) : isVoid(message);
  if (isEmpty) issues.push({ rule: 'CHAT-4', message: index, text: `${message.role} message has no content` });
  const isNew = message.raw === undefined && message.base === undefined;
  if (isNew && message.role === 'system' && messages.slice(0, index).some((earlier) => earlier.role !== 'system')) {
    issues.push({ rule: 'CHAT-5', message: index, text: 'a new system message must stand before all others' });
  }
  return issues;
}
