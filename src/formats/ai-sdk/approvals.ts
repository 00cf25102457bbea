import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, type Part, withParts } from '../../core/conversation/message.ts';
import type { DecodeNote } from '../../core/format.ts';
import { isRecord } from '../guards.ts';
import { hasContent, type Mended, type Numbered } from '../pairs/mend.ts';
import { REMOVED_CALL_TEXT } from '../pairs/repair.ts';
import { type AiPart, APPROVAL_REQUEST, APPROVAL_RESPONSE } from './wire.ts';

/** Finds approval requests without their call, and the user's answers without their request. */
export function approvalIssues(messages: readonly Message[]): readonly SoundnessIssue[] {
  const known = knownIds(messages);
  return messages.flatMap((message, index) =>
    message.parts.flatMap((part) => {
      const text = fault(part, known);
      return text === null ? [] : [{ rule: 'AIS-3', message: index, text }];
    }),
  );
}

/** Drops requests whose call is gone, then answers whose request is gone. A request can only be lost by its call, so one round for each is enough. */
export function mendApprovals(items: readonly Numbered[]): Mended {
  const requests = dropFaulty(items);
  const responses = dropFaulty(requests.items);
  return { items: responses.items, notes: [...requests.notes, ...responses.notes] };
}

function dropFaulty(items: readonly Numbered[]): Mended {
  const known = knownIds(items.map((item) => item.message));
  const notes: DecodeNote[] = [];
  const kept = items.flatMap(({ index, message }): readonly Numbered[] => {
    const parts = message.parts.filter((part) => {
      const text = fault(part, known);
      if (text !== null) notes.push({ message: index, text: `${text} and was dropped` });
      return text === null;
    });
    if (parts.length === message.parts.length) return [{ index, message }];
    const rest = withParts(message, parts);
    if (hasContent(rest)) return [{ index, message: rest }];
    // The same text as in any message whose calls were never answered.
    if (message.role === 'assistant')
      return [{ index, message: withParts(message, [...parts, { type: 'text', text: REMOVED_CALL_TEXT }]) }];
    notes.push({ message: index, text: `${message.role} message without content dropped` });
    return [];
  });
  return notes.length === 0 ? { items, notes } : { items: kept, notes };
}

interface Known {
  readonly calls: ReadonlySet<unknown>;
  readonly requests: ReadonlySet<unknown>;
}

function knownIds(messages: readonly Message[]): Known {
  const calls = new Set<unknown>();
  const requests = new Set<unknown>();
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type === 'tool-call') calls.add(part.callId);
      // Calls that the provider runs itself are opaque, but may need approval too.
      else if (part.type === 'opaque' && part.kind === 'tool-call') calls.add(rawOf(part).toolCallId);
      else if (part.type === 'opaque' && part.kind === APPROVAL_REQUEST) requests.add(rawOf(part).approvalId);
    }
  return { calls, requests };
}

function fault(part: Part, { calls, requests }: Known): string | null {
  if (part.type !== 'opaque') return null;
  const { approvalId, toolCallId } = rawOf(part);
  if (part.kind === APPROVAL_REQUEST && !calls.has(toolCallId)) return `approval request \`${approvalId}\` has no call`;
  if (part.kind === APPROVAL_RESPONSE && !requests.has(approvalId))
    return `approval response \`${approvalId}\` has no request`;
  return null;
}

function rawOf(part: Part): AiPart {
  return isRecord(part.raw) ? part.raw : {};
}
