import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import type { Message } from '../../core/conversation/message.ts';
import { emptyTextIssues, objectIssues } from '../message-rules.ts';
import { pairIssues } from '../pairs/issues.ts';
import { serverIssues, serverStateOf } from '../server-state.ts';
import { encodeGemini } from './encode.ts';
import { isSpread } from './merge-answers.ts';
import { GEMINI_SERVER } from './server.ts';

/** Checks GEM-1, 2, 6 and 7, that nothing is empty, and that the arguments of every call are an object. Signatures need no check, because a part keeps its own. */
export function checkGemini(conversation: Conversation): readonly SoundnessIssue[] {
  const { messages } = conversation;
  const inputs = objectIssues(messages, { rule: 'GEM-INPUT', field: 'arguments' });
  const server = serverStateOf(conversation, GEMINI_SERVER);
  // Only the server can tell whether what it keeps and what it gets fit together.
  if (server !== null && inputs.length === 0)
    return serverIssues(conversation, encodeGemini(conversation), { ...GEMINI_SERVER, server });
  return [
    ...pairIssues(messages, { answered: 'GEM-1', called: 'GEM-2' }),
    ...messages.flatMap((message, index) => spreadIssues(message, index, messages)),
    ...(startsLegally(messages) ? [] : [{ rule: 'GEM-6', message: 0, text: 'the first message must be of the user' }]),
    ...messages.flatMap((message, index) => systemIssues(message, index, messages)),
    ...emptyTextIssues(messages, 'GEM-EMPTY'),
    ...inputs,
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
