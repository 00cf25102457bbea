import type { SoundnessIssue } from '../core/conversation/issue.ts';
import { type Message, type Part, toolCallsOf } from '../core/conversation/message.ts';
import { parseObject } from './json-object.ts';
import { hasContent, isVoid } from './pairs/mend.ts';

/**
 * True for a message that a provider would refuse as empty. A model that was cut off leaves reasoning alone: such a message may pass, but no edit may
 * make one.
 */
export function isEmptyMessage(message: Message): boolean {
  return message.raw === undefined ? !hasContent(message) : isVoid(message);
}

/** True for a new system message behind messages of other roles. */
export function isLateSystem(message: Message, index: number, messages: readonly Message[]): boolean {
  const isNew = message.raw === undefined && message.base === undefined;
  return isNew && message.role === 'system' && messages.slice(0, index).some((earlier) => earlier.role !== 'system');
}

/** For formats that refuse an empty text anywhere, and send reasoning unedited or not at all. */
export function emptyTextIssues(messages: readonly Message[], rule: string): readonly SoundnessIssue[] {
  const isSent = (part: Part): boolean => part.type !== 'reasoning' || part.raw !== undefined;
  const isBlank = (part: Part): boolean => part.type === 'text' && part.text === '';
  return messages.flatMap(({ role, parts }, message) =>
    !parts.some(isSent) || parts.some(isBlank)
      ? [{ rule, message, text: `${role} message has an empty text or no content` }]
      : [],
  );
}

/** For formats that send the arguments of a call as an object. */
export function objectIssues(
  messages: readonly Message[],
  { rule, field }: { readonly rule: string; readonly field: 'input' | 'arguments' },
): readonly SoundnessIssue[] {
  return messages.flatMap((message, index) =>
    toolCallsOf(message)
      .filter((call) => call.raw === undefined && parseObject(call.arguments) === null)
      .map(({ callId }) => ({
        rule,
        message: index,
        text: `the ${field} of tool call \`${callId}\` must be a JSON object`,
      })),
  );
}
