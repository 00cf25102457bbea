import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import type { Message } from '../../core/conversation/message.ts';
import { emptyTextIssues, objectIssues } from '../message-rules.ts';
import { pairIssues } from '../pairs/issues.ts';
import { serverIssues, serverStateOf } from '../server-state.ts';
import { countCacheMarkers } from './cache-markers.ts';
import { encodeAnthropic } from './encode.ts';
import { hostedPairIssues } from './hosted-pairs.ts';
import { ANTHROPIC_SERVER } from './server.ts';
import { MAX_CACHE_MARKERS } from './wire.ts';

/** Rules ANT-1 to ANT-3, ANT-6 to ANT-8, ANT-11, and that the input of every call is an object. */
export function checkAnthropic(conversation: Conversation): readonly SoundnessIssue[] {
  const { messages } = conversation;
  const inputs = objectIssues(messages, { rule: 'ANT-INPUT', field: 'input' });
  const server = serverStateOf(conversation, ANTHROPIC_SERVER);
  // Only the server can tell whether what it keeps and what it gets fit together.
  if (server !== null && inputs.length === 0)
    return serverIssues(conversation, encodeAnthropic(conversation), { ...ANTHROPIC_SERVER, server });
  return [
    ...pairIssues(messages, { answered: 'ANT-1', called: 'ANT-2' }),
    ...(startsLegally(messages) ? [] : [{ rule: 'ANT-3', message: 0, text: 'the first message must be of the user' }]),
    ...emptyTextIssues(messages, 'ANT-7'),
    ...hostedPairIssues(messages),
    ...trailingSpaceIssues(messages),
    ...inputs,
    // Counting markers takes the encoded request, and only sound inputs can be encoded.
    ...(inputs.length > 0 ? [] : markerIssues(conversation)),
  ];
}

/** The user speaks first. */
export function startsLegally(messages: readonly Message[]): boolean {
  return messages.find((message) => message.role !== 'system')?.role !== 'assistant';
}

function trailingSpaceIssues(messages: readonly Message[]): readonly SoundnessIssue[] {
  const last = messages.at(-1);
  const part = last?.parts.at(-1);
  if (last?.role !== 'assistant' || last.raw !== undefined || part?.type !== 'text' || !/\s$/u.test(part.text))
    return [];
  return [{ rule: 'ANT-7', message: messages.length - 1, text: 'the final assistant text must not end in whitespace' }];
}

/** A request may keep the markers it came with, even too many; edits may not add to them. */
function markerIssues(conversation: Conversation): readonly SoundnessIssue[] {
  const count = countCacheMarkers(encodeAnthropic(conversation));
  const allowed = Math.max(MAX_CACHE_MARKERS, countCacheMarkers(conversation.envelope));
  return count > allowed
    ? [{ rule: 'ANT-6', message: -1, text: `${count} cache markers, at most ${allowed} are allowed` }]
    : [];
}
