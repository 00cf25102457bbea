import { type Message, type Part, withParts } from '../../core/conversation/message.ts';
import type { Decoded, DecodeNote } from '../../core/format.ts';
import { decodeContentField } from '../content-field.ts';
import { expectArray, expectMessage, expectMessageList, isRecord, wrongField } from '../guards.ts';
import { MISSING_START_NOTE, missingStart } from '../missing-start.ts';
import type { Numbered } from '../pairs/mend.ts';
import { repairPairs, withResultsFirst } from '../pairs/repair.ts';
import { opaquePart } from '../parts.ts';
import { isKeptByServer } from '../server-state.ts';
import { startsLegally } from './check.ts';
import { decodeBlock } from './decode-block.ts';
import { ANTHROPIC_SERVER } from './server.ts';
import type { AnthropicMessage, AnthropicRequest } from './wire.ts';

/** Reads the system prompt and every message, drops empty ones, and makes calls and results pair. A request whose history is on the server stays as it is. */
export function decodeAnthropic(wire: unknown): Decoded {
  const system = decodeSystem(wire);
  const read = expectMessageList(wire).map((value, index) => decodeMessage(expectMessage(value, index), index));
  if (isKeptByServer(wire, ANTHROPIC_SERVER))
    return { conversation: { format: 'anthropic', messages: [...system, ...read], envelope: wire }, notes: [] };
  return mend(system, read, wire);
}

function mend(prompt: readonly Message[], read: readonly Message[], wire: unknown): Decoded {
  const notes: DecodeNote[] = [];
  const mendOne = (message: Message, index: number): readonly Numbered[] => {
    const mended = withoutEmptyParts(message, index, notes);
    return mended === null ? [] : [{ index, message: mended }];
  };
  const system = prompt.flatMap((message) => mendOne(message, -1)).map((item) => item.message);
  const paired = repairPairs(read.flatMap(mendOne));
  const messages = withStart(
    paired.items.map((item) => item.message),
    notes,
  );
  return {
    conversation: { format: 'anthropic', messages: [...system, ...messages], envelope: wire },
    notes: [...notes, ...paired.notes],
  };
}

/** The top-level system prompt. Its `raw` is the value of the field, a string or an array, and `encode` recognises it by that. */
function decodeSystem(wire: unknown): readonly Message[] {
  const request: AnthropicRequest = isRecord(wire) ? wire : {};
  const { system } = request;
  if (system === undefined || system === null || system === '' || (Array.isArray(system) && system.length === 0))
    return [];
  if (typeof system === 'string') return [{ role: 'system', parts: [{ type: 'text', text: system }], raw: system }];
  const blocks = expectArray(system, { index: -1, field: 'system' }, 'a string or an array of blocks');
  const parts = blocks.map((block, at) => decodeBlock(block, 'system', { index: -1, field: `system[${at}]` }));
  return [{ role: 'system', parts, raw: system }];
}

function decodeMessage(raw: AnthropicMessage, index: number): Message {
  const { role, content } = raw;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    throw wrongField({ index, field: 'role' }, 'one of user, assistant, system', role);
  }
  if (content === undefined || content === null) {
    // A system message may carry settings alone.
    const isSettings = role === 'system' && Object.keys(raw).some((key) => key !== 'role' && key !== 'content');
    return { role, parts: isSettings ? [opaquePart('system', raw)] : [], raw };
  }
  const place = { index, field: 'content', expected: 'a string or an array of blocks' };
  const parts = decodeContentField(content, place, (block, at) => decodeBlock(block, role, at));
  const isTool = parts.length > 0 && parts.every((part) => part.type === 'tool-result');
  return { role: isTool ? 'tool' : role, parts, raw };
}

/** Drops empty text blocks, which the API refuses, and a message that holds nothing else. */
function withoutEmptyParts(message: Message, index: number, notes: DecodeNote[]): Message | null {
  const parts = message.parts.filter((part) => part.type !== 'text' || part.text !== '');
  if (parts.length === 0) {
    notes.push({ message: index, text: `${message.role} message without content dropped` });
    return null;
  }
  if (parts.length < message.parts.length) notes.push({ message: index, text: 'empty text block dropped' });
  const ordered = withResultsFirst(parts);
  const isOrdered = ordered.every((part: Part, at) => part === parts[at]);
  if (!isOrdered) notes.push({ message: index, text: 'tool results moved before the other content of their message' });
  if (isOrdered && parts.length === message.parts.length) return message;
  const isTool = ordered.every((part) => part.type === 'tool-result');
  return { ...withParts(message, ordered), role: isTool ? 'tool' : message.role };
}

function withStart(messages: readonly Message[], notes: DecodeNote[]): readonly Message[] {
  if (startsLegally(messages)) return messages;
  notes.unshift(MISSING_START_NOTE);
  return [missingStart, ...messages];
}
