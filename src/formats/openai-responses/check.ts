import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, toolCallsOf } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import { parseObject } from '../json-object.ts';
import { pairIssues } from '../pairs/issues.ts';
import { hasContent, isVoid } from '../pairs/mend.ts';
import { serverIssues, serverStateOf } from '../server-state.ts';
import { encodeResponses } from './encode.ts';
import { lacksFollower } from './followers.ts';
import { RESPONSES_SERVER } from './server.ts';
import { isTextCall } from './wire.ts';

/**
 * Checks RESP-1 to RESP-3, RESP-5 and RESP-6, that no message is empty, and that inputs are objects where they must be. Items that precis cannot
 * read need no check, because they are pinned.
 */
export function checkResponses(conversation: Conversation): readonly SoundnessIssue[] {
  const { messages } = conversation;
  const inputs = messages.flatMap(inputIssues);
  const server = serverStateOf(conversation, RESPONSES_SERVER);
  // Only the server can tell whether what it keeps and what it gets fit together.
  if (server !== null && inputs.length === 0)
    return serverIssues(conversation, encodeResponses(conversation), { ...RESPONSES_SERVER, server });
  return [
    ...pairIssues(messages, { answered: 'RESP-1', called: 'RESP-1' }),
    ...messages.flatMap(reasoningIssues),
    ...messages.flatMap(emptyIssues),
    ...messages.flatMap(triggerIssues),
    ...inputs,
  ];
}

function reasoningIssues(message: Message, index: number): readonly SoundnessIssue[] {
  if (!message.parts.some((part) => part.type === 'reasoning')) return [];
  if (!hasContent(message)) return [{ rule: 'RESP-2', message: index, text: 'nothing follows the reasoning' }];
  return lacksFollower(message)
    ? [{ rule: 'RESP-3', message: index, text: 'an item that came with this reasoning is missing' }]
    : [];
}

function emptyIssues(message: Message, index: number): readonly SoundnessIssue[] {
  return isVoid(message)
    ? [{ rule: 'RESP-EMPTY', message: index, text: `${message.role} message has no content` }]
    : [];
}

function inputIssues(message: Message, index: number): readonly SoundnessIssue[] {
  return toolCallsOf(message)
    .filter((call) => isRecord(call.base) && !isTextCall(call.base['type']) && parseObject(call.arguments) === null)
    .map((call) => ({
      rule: 'RESP-INPUT',
      message: index,
      text: `what tool call \`${call.callId}\` asks for must be a JSON object`,
    }));
}

/** A trigger asks for a compaction at the end only. */
function triggerIssues({ parts }: Message, index: number, messages: readonly Message[]): readonly SoundnessIssue[] {
  const isTrigger = parts.some((part) => part.type === 'opaque' && part.kind === 'compaction_trigger');
  return isTrigger && index < messages.length - 1
    ? [{ rule: 'RESP-6', message: index, text: 'a compaction trigger must be the last item' }]
    : [];
}
