import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import type { Message } from '../../core/conversation/message.ts';
import { emptyTextIssues, objectIssues } from '../message-rules.ts';
import { pairIssues } from '../pairs/issues.ts';
import { encodeContents } from './encode.ts';
import { isSpread } from './merge-answers.ts';
import { contentListOf, hasServerState } from './wire.ts';

/** Checks GEM-1, 2, 6 and 7, that nothing is empty, and that the arguments of every call are an object. Signatures need no check, because a part keeps its own. */
export function checkGemini(conversation: Conversation): readonly SoundnessIssue[] {
  const { messages } = conversation;
  const inputs = objectIssues(messages, { rule: 'GEM-INPUT', field: 'arguments' });
  return [
    ...pairIssues(messages, { answered: 'GEM-1', called: 'GEM-2' }),
    ...messages.flatMap((message, index) => spreadIssues(message, index, messages)),
    ...(startsLegally(messages) ? [] : [{ rule: 'GEM-6', message: 0, text: 'the first message must be of the user' }]),
    ...messages.flatMap((message, index) => systemIssues(message, index, messages)),
    ...emptyTextIssues(messages, 'GEM-EMPTY'),
    ...inputs,
    // Comparing contents takes the encoded request, and only sound calls can be encoded.
    ...(inputs.length > 0 ? [] : serverIssues(conversation)),
  ];
}

/** The user speaks first. */
export function startsLegally(messages: readonly Message[]): boolean {
  return messages.find((message) => message.role !== 'system')?.role !== 'assistant';
}

function spreadIssues(message: Message, index: number, messages: readonly Message[]): readonly SoundnessIssue[] {
  const next = messages[index + 1];
  return next !== undefined && isSpread(message, next)
    ? [{ rule: 'GEM-1', message: index + 1, text: 'the results of one step must stand in one message' }]
    : [];
}

/** The only place for a prompt is before the contents. */
function systemIssues(message: Message, index: number, messages: readonly Message[]): readonly SoundnessIssue[] {
  const isLate = message.role === 'system' && messages.slice(0, index).some((earlier) => earlier.role !== 'system');
  return isLate ? [{ rule: 'GEM-6', message: index, text: 'a system message must stand before all others' }] : [];
}

/** While the server caches the beginning, the contents may grow but not change: nobody can tell what a change would do. */
function serverIssues({ messages, envelope }: Conversation): readonly SoundnessIssue[] {
  const original = contentListOf(envelope);
  if (original === null || !hasServerState(envelope)) return [];
  const contents = encodeContents(messages, original);
  if (original.every((content, index) => content === contents[index])) return [];
  const text = '`cachedContent` keeps the beginning on the server, so contents may not be edited';
  return [{ rule: 'GEM-7', message: -1, text }];
}
