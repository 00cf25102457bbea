import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, type Part, toolCallsOf } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import { pairIssues } from '../pairs/issues.ts';
import { countCacheMarkers } from './cache-markers.ts';
import { encodeAnthropic } from './encode.ts';
import { MAX_CACHE_MARKERS } from './wire.ts';

/** Rules ANT-1 to ANT-3, ANT-6, ANT-7, and that the input of every call is an object. */
export function checkAnthropic(conversation: Conversation): readonly SoundnessIssue[] {
  const { messages } = conversation;
  const inputs = messages.flatMap(inputIssues);
  return [
    ...pairIssues(messages, { answered: 'ANT-1', called: 'ANT-2' }),
    ...(startsLegally(messages) ? [] : [{ rule: 'ANT-3', message: 0, text: 'the first message must be of the user' }]),
    ...messages.flatMap(emptyIssues),
    ...trailingSpaceIssues(messages),
    ...inputs,
    // Markers are counted on the wire, which needs inputs that can be written.
    ...(inputs.length > 0 ? [] : markerIssues(conversation)),
  ];
}

/** The user speaks first, unless the server's own compaction block opens the conversation. */
export function startsLegally(messages: readonly Message[]): boolean {
  const first = messages.find((message) => message.role !== 'system');
  if (first === undefined || first.role !== 'assistant') return true;
  const [part] = first.parts;
  return part?.type === 'opaque' && part.kind === 'compaction';
}

function emptyIssues(message: Message, index: number): readonly SoundnessIssue[] {
  const isEmpty = !message.parts.some(isSent) || message.parts.some((part) => part.type === 'text' && part.text === '');
  return isEmpty
    ? [{ rule: 'ANT-7', message: index, text: `${message.role} message has an empty text or no content` }]
    : [];
}

/** Thinking without its signed block is not sent. */
function isSent(part: Part): boolean {
  return part.type !== 'reasoning' || part.raw !== undefined;
}

function trailingSpaceIssues(messages: readonly Message[]): readonly SoundnessIssue[] {
  const last = messages.at(-1);
  const part = last?.parts.at(-1);
  if (last?.role !== 'assistant' || last.raw !== undefined || part?.type !== 'text' || !/\s$/u.test(part.text))
    return [];
  return [{ rule: 'ANT-7', message: messages.length - 1, text: 'the final assistant text must not end in whitespace' }];
}

function inputIssues(message: Message, index: number): readonly SoundnessIssue[] {
  return toolCallsOf(message)
    .filter((call) => call.raw === undefined && !isObjectJson(call.arguments))
    .map((call) => ({
      rule: 'ANT-INPUT',
      message: index,
      text: `the input of tool call \`${call.callId}\` must be a JSON object`,
    }));
}

function isObjectJson(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A request that came with too many markers is not made worse, but not refused either. */
function markerIssues(conversation: Conversation): readonly SoundnessIssue[] {
  const count = countCacheMarkers(encodeAnthropic(conversation));
  const allowed = Math.max(MAX_CACHE_MARKERS, countCacheMarkers(conversation.envelope));
  return count > allowed
    ? [{ rule: 'ANT-6', message: -1, text: `${count} cache markers, at most ${allowed} are allowed` }]
    : [];
}
