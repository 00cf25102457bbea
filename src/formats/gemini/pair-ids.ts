import { type Message, type Part, type ToolCallPart, toolCallsOf } from '../../core/conversation/message.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import type { Numbered } from '../pairs/mend.ts';
import { fieldOf } from './wire.ts';

/**
 * Gives calls and answers the ids that pair them. Ids are optional on the wire. Where call and answer both have one, the ids must match; else an
 * answer pairs by name and order with a call of the content before it (GEM-2). Ids made here never reach the wire, and stay the same as the
 * conversation grows.
 */
export function withCallIds(items: readonly Numbered[]): readonly Numbered[] {
  let waiting: readonly ToolCallPart[] = [];
  return items.map(({ index, message }) => {
    if (message.role === 'assistant') {
      const named = nameCalls(message);
      // Only the first of several calls with one id can be answered; the others will be dropped.
      const calls = toolCallsOf(named);
      waiting = calls.filter(({ callId }, at) => calls.findIndex((call) => call.callId === callId) === at);
      return { index, message: named };
    }
    const answered = nameAnswers(message, waiting);
    waiting = answered.left;
    // Answers may be spread over several contents; anything else ends the step.
    if (message.role !== 'tool') waiting = [];
    return { index, message: answered.message };
  });
}

function nameCalls(message: Message): Message {
  let unnamed = 0;
  const parts = message.parts.map((part): Part => {
    if (part.type !== 'tool-call') return part;
    return { ...part, callId: wireId(part, 'functionCall') ?? `${part.name}~${unnamed++}` };
  });
  return { ...message, parts };
}

interface Answered {
  readonly message: Message;
  readonly left: readonly ToolCallPart[];
}

function nameAnswers(message: Message, waiting: readonly ToolCallPart[]): Answered {
  let left = [...waiting];
  let orphans = 0;
  const parts = message.parts.map((part): Part => {
    if (part.type !== 'tool-result') return part;
    const id = wireId(part, 'functionResponse');
    const name = wireBody(part, 'functionResponse')['name'];
    const call =
      left.find((open) => open.callId === id) ??
      left.find((open) => open.name === name && (id === null || wireId(open, 'functionCall') === null));
    left = left.filter((open) => open !== call);
    // No call has this id, and an answer without an id cannot be moved back to an earlier call.
    return { ...part, callId: call?.callId ?? id ?? `${String(name)}~?${orphans++}` };
  });
  return { message: { ...message, parts }, left };
}

function wireBody(part: Part, field: 'functionCall' | 'functionResponse'): WireRecord {
  const source = part.raw ?? part.base;
  const body = isRecord(source) ? fieldOf(source, field) : null;
  return isRecord(body) ? body : {};
}

function wireId(part: Part, field: 'functionCall' | 'functionResponse'): string | null {
  const { id } = wireBody(part, field) as { readonly id?: unknown };
  return typeof id === 'string' && id !== '' ? id : null;
}
