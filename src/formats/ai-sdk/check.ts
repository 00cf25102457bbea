import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, textOf } from '../../core/conversation/message.ts';
import { isEmptyMessage, isLateSystem } from '../message-rules.ts';
import { pairIssues } from '../pairs/issues.ts';
import { approvalIssues } from './approvals.ts';

/**
 * Rules AIS-1 to AIS-4, and that no message is empty. AIS-5 and AIS-6 hold because signatures and bytes are never read or rebuilt, AIS-7 because
 * neighbours of one role are legal.
 */
export function checkAiSdk({ messages }: Conversation): readonly SoundnessIssue[] {
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
