import {
  type Message,
  type Part,
  type ToolResultPart,
  toolCallsOf,
  withParts,
} from '../../core/conversation/message.ts';
import type { DecodeNote } from '../../core/format.ts';
import { type Assignment, assignResults } from './assign.ts';
import { pairIssues } from './issues.ts';
import { hasContent, type Mended, type Numbered } from './mend.ts';

/** Replaces the content of an assistant message that held nothing but unanswered calls. */
export const REMOVED_CALL_TEXT = '[tool call without a result removed]';

/**
 * Makes calls and results pair without guessing: drops results without a call, moves stray results back to their call, and removes unanswered calls
 * unless they are in flight. Returns a sound list as it is.
 */
export function repairPairs(items: readonly Numbered[]): Mended {
  const messages = items.map((item) => item.message);
  if (pairIssues(messages, { answered: '', called: '' }).length === 0) return { items, notes: [] };
  const unique = dropRepeatedCalls(items);
  const assignment = assignResults(unique.items);
  const kept = removeUnanswered(unique.items, assignment);
  return {
    items: rebuild(kept.items, assignment),
    notes: [...unique.notes, ...assignment.notes, ...kept.notes].sort((one, other) => one.message - other.message),
  };
}

/** No answer can tell two calls with one id apart, so only the first is kept. */
function dropRepeatedCalls(items: readonly Numbered[]): Mended {
  const notes: DecodeNote[] = [];
  const result = items.map(({ index, message }) => {
    const seen = new Set<string>();
    const parts = message.parts.filter((part) => {
      if (part.type !== 'tool-call') return true;
      const repeated = seen.has(part.callId);
      seen.add(part.callId);
      if (repeated) notes.push({ message: index, text: `second tool call with the id \`${part.callId}\` dropped` });
      return !repeated;
    });
    return parts.length === message.parts.length ? { index, message } : { index, message: withParts(message, parts) };
  });
  return { items: result, notes };
}

function removeUnanswered(items: readonly Numbered[], { answered }: Assignment): Mended {
  const notes: DecodeNote[] = [];
  // Only results follow this message: its calls may still be running.
  const lastOther = items.findLastIndex((item) => item.message.role !== 'tool');
  const result = items.map(({ index, message }, position) => {
    const open = toolCallsOf(message).filter((call) => answered.get(position)?.has(call.callId) !== true);
    if (open.length === 0 || position === lastOther) return { index, message };
    for (const call of open)
      notes.push({ message: index, text: `tool call \`${call.callId}\` has no result and was removed` });
    const parts = message.parts.filter((part) => part.type !== 'tool-call' || !open.includes(part));
    const rest = withParts(message, parts);
    return {
      index,
      message: hasContent(rest) ? rest : withParts(message, [...parts, { type: 'text', text: REMOVED_CALL_TEXT }]),
    };
  });
  return { items: result, notes };
}

function rebuild(items: readonly Numbered[], { inPlace, moved }: Assignment): readonly Numbered[] {
  const result: Numbered[] = [];
  let returning: readonly Numbered[] = [];
  items.forEach(({ index, message }, position) => {
    // Moved results follow those already in place, and come before any other content.
    if (message.role !== 'tool') {
      result.push(...returning);
      returning = (moved.get(position) ?? []).map((stray) => asOwnMessage(stray.item, stray.part));
    }
    const parts = message.parts.filter((part) => part.type !== 'tool-result' || inPlace.has(part));
    if (parts.length === message.parts.length) result.push({ index, message });
    else if (parts.length > 0) result.push({ index, message: withParts(message, withResultsFirst(parts)) });
  });
  return [...result, ...returning];
}

function asOwnMessage({ index, message }: Numbered, part: ToolResultPart): Numbered {
  const alone: Message = { role: 'tool', parts: [part] };
  return { index, message: message.parts.length === 1 ? message : alone };
}

export function withResultsFirst(parts: readonly Part[]): readonly Part[] {
  return [
    ...parts.filter((part) => part.type === 'tool-result'),
    ...parts.filter((part) => part.type !== 'tool-result'),
  ];
}
