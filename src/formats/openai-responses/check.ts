import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, toolCallsOf } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import { parseObject } from '../json-object.ts';
import { pairIssues } from '../pairs/issues.ts';
import { hasContent, isVoid } from '../pairs/mend.ts';
import { encodeItems, isInstructions } from './encode.ts';
import { lacksFollower } from './followers.ts';
import { isTextCall, itemListOf, serverStateOf } from './wire.ts';

/**
 * Checks RESP-1 to RESP-3, RESP-5 and RESP-6, that no message is empty, and that inputs are objects where they must be. Items that precis cannot
 * read need no check, because they are pinned.
 */
export function checkResponses(conversation: Conversation): readonly SoundnessIssue[] {
  const { messages } = conversation;
  const inputs = messages.flatMap(inputIssues);
  return [
    ...pairIssues(messages, { answered: 'RESP-1', called: 'RESP-1' }),
    ...messages.flatMap(reasoningIssues),
    ...messages.flatMap(emptyIssues),
    ...compactionIssues(conversation),
    ...inputs,
    // Comparing items takes the encoded request, and only sound calls can be encoded.
    ...(inputs.length > 0 ? [] : serverIssues(conversation)),
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

/** The server's own compaction keeps its place before the item that followed it; a trigger asks for one at the end only. */
function compactionIssues({ messages, envelope }: Conversation): readonly SoundnessIssue[] {
  const original = itemListOf(envelope) ?? [];
  return messages.flatMap((message, index): readonly SoundnessIssue[] => {
    const next = messages[index + 1];
    if (next === undefined) return [];
    if (isItem(message, 'compaction_trigger'))
      return [{ rule: 'RESP-6', message: index, text: 'a compaction trigger must be the last item' }];
    const isNew = next.raw === undefined && next.base === undefined;
    const wasLast = message.raw === undefined || message.raw === original.at(-1);
    return isItem(message, 'compaction') && isNew && !wasLast
      ? [{ rule: 'RESP-6', message: index + 1, text: 'nothing may be put directly behind a compaction item' }]
      : [];
  });
}

function isItem(message: Message, kind: string): boolean {
  return message.parts.some((part) => part.type === 'opaque' && part.kind === kind);
}

/** While the server keeps earlier messages, the items may grow but not change: nobody can tell what a change would do. */
function serverIssues({ messages, envelope }: Conversation): readonly SoundnessIssue[] {
  const field = serverStateOf(envelope);
  const original = itemListOf(envelope);
  if (field === null || original === null) return [];
  const items = encodeItems(messages.filter((message) => !isInstructions(message)));
  if (original.every((item, index) => item === items[index])) return [];
  return [
    { rule: 'RESP-5', message: -1, text: `\`${field}\` keeps the history on the server, so items may not be edited` },
  ];
}
