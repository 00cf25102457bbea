import type { Message } from '../conversation/message.ts';
import { splitSteps } from '../conversation/steps.ts';
import { lastUserIndex } from '../conversation/turns.ts';
import type { Measure } from '../tokens/measure.ts';
import { FRAME_TOKENS, SMALLEST_HANDOFF_TOKENS } from './zones.ts';

/** About the least that the newest user message and the newest step each take once they are trimmed. */
const LEAST_NEWEST_TOKENS = 300;

/**
 * Estimates the least size that a compaction of these messages could reach: the system prompt, pinned messages, the newest request and step
 * trimmed, and a small handoff. It only measures, so it may be asked at every request.
 */
export function floorOf(messages: readonly Message[], measure: Measure, pinned: ReadonlySet<Message>): number {
  const firstSaid = messages.findIndex((message) => message.role !== 'system');
  const head = messages.slice(0, firstSaid < 0 ? messages.length : firstSaid);
  const kept = messages.filter((message) => pinned.has(message));
  const newest = splitSteps(messages.slice(-NEWEST_MESSAGES)).at(-1);
  const step = newest === undefined ? [] : messages.slice(-NEWEST_MESSAGES).slice(newest.from, newest.to);
  const asked = messages[lastUserIndex(messages)];
  const least = (some: readonly Message[]): number => Math.min(LEAST_NEWEST_TOKENS, measure.messages(some));
  return (
    measure.messages(head) +
    measure.messages(kept) +
    least(step) +
    (asked === undefined ? 0 : least([asked])) +
    FRAME_TOKENS +
    SMALLEST_HANDOFF_TOKENS
  );
}

/** The newest step is looked for among this many messages. */
const NEWEST_MESSAGES = 64;
