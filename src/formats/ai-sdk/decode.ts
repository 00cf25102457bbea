import type { Message, Part } from '../../core/conversation/message.ts';
import type { Decoded, DecodeNote } from '../../core/format.ts';
import {
  expectArray,
  expectMessage,
  expectMessageList,
  expectRecord,
  expectString,
  isRecord,
  type Place,
  wrongField,
} from '../guards.ts';
import { hostedAiSdkPart } from '../hosted/ai-sdk-parts.ts';
import { isVoid, type Numbered } from '../pairs/mend.ts';
import { repairPairs } from '../pairs/repair.ts';
import { opaquePart, textParts } from '../parts.ts';
import { isKeptByServer } from '../server-state.ts';
import { mendApprovals } from './approvals.ts';
import { decodeCall, decodeResult } from './decode-call.ts';
import { decodePlain, decodeReasoning } from './decode-part.ts';
import { AI_SDK_SERVER } from './server.ts';
import type { AiMessage, AiPart } from './wire.ts';

/** Reads every message, drops empty ones, and makes calls, results and approvals pair. A request whose history is on the server stays as it is. */
export function decodeAiSdk(wire: unknown): Decoded {
  const notes: DecodeNote[] = [];
  const items: Numbered[] = [];
  const list = expectMessageList(wire);
  const answered = answeredIds(list);
  const read = list.map((value, index) => decodeMessage(expectMessage(value, index), index, answered));
  if (isKeptByServer(wire, AI_SDK_SERVER))
    return { conversation: { format: 'ai-sdk', messages: read, envelope: wire }, notes: [] };
  read.forEach((message, index) => {
    if (isVoid(message)) notes.push({ message: index, text: `${message.role} message without content dropped` });
    else items.push({ index, message });
  });
  const paired = repairPairs(items);
  const approved = mendApprovals(paired.items);
  return {
    conversation: { format: 'ai-sdk', messages: approved.items.map((item) => item.message), envelope: wire },
    notes: [...notes, ...paired.notes, ...approved.notes],
  };
}

function decodeMessage(raw: AiMessage, index: number, answered: ReadonlySet<unknown>): Message {
  const { role, content } = raw;
  switch (role) {
    case 'system':
      return { role, parts: textParts(expectString(content, index, 'content')), raw };
    case 'user':
    case 'assistant': {
      if (typeof content === 'string') return { role, parts: textParts(content), raw };
      const list = expectArray(content, { index, field: 'content' }, 'a string or an array of parts');
      const parts = list.map((part, at) => {
        const place = { index, field: `content[${at}]` };
        return role === 'user' ? decodePlain(part, place) : decodeAssistantPart(part, place, answered);
      });
      return { role, parts, raw };
    }
    case 'tool': {
      const list = expectArray(content, { index, field: 'content' }, 'an array of parts');
      const parts = list.map((part, at) => decodeToolPart(part, { index, field: `content[${at}]` }));
      return { role, parts, raw };
    }
    default:
      throw wrongField({ index, field: 'role' }, 'one of system, user, assistant, tool', role);
  }
}

function decodeAssistantPart(value: unknown, place: Place, answered: ReadonlySet<unknown>): Part {
  const part: AiPart = expectRecord(value, place.index, place.field);
  switch (part.type) {
    case 'reasoning':
      return decodeReasoning(part, place);
    case 'tool-call':
      // The provider answers its own calls in assistant messages, perhaps in a later one, so we neither pair nor cut them.
      return part.providerExecuted === true && !answered.has(part.toolCallId)
        ? opaquePart('tool-call', part, hostedAiSdkPart(part))
        : decodeCall(part, place);
    default:
      return decodePlain(part, place);
  }
}

function decodeToolPart(value: unknown, place: Place): Part {
  const part: AiPart = expectRecord(value, place.index, place.field);
  if (part.type === 'tool-result') return decodeResult(part, place);
  return opaquePart(expectString(part.type, place.index, `${place.field}.type`), part);
}

/** Ids of the calls that tool messages answer. */
function answeredIds(list: readonly unknown[]): ReadonlySet<unknown> {
  const ids = new Set<unknown>();
  for (const value of list) {
    const message: AiMessage = isRecord(value) ? value : {};
    if (message.role !== 'tool' || !Array.isArray(message.content)) continue;
    for (const part of message.content)
      if (isRecord(part) && part['type'] === 'tool-result') ids.add(part['toolCallId']);
  }
  return ids;
}
