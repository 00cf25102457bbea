import { type Message, withParts } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Decoded, DecodeNote } from '../../core/format.ts';
import { describe, expectArray, expectMessage, isRecord, type Place, wrongField } from '../guards.ts';
import { MISSING_START_NOTE, missingStart } from '../missing-start.ts';
import type { Numbered } from '../pairs/mend.ts';
import { repairPairs, withResultsFirst } from '../pairs/repair.ts';
import { isKeptByServer } from '../server-state.ts';
import { startsLegally } from './check.ts';
import { decodePart } from './decode-part.ts';
import { mergeAnswers } from './merge-answers.ts';
import { withCallIds } from './pair-ids.ts';
import { GEMINI_SERVER } from './server.ts';
import { contentListOf, fieldOf, type GeminiContent, keyOf } from './wire.ts';

/** Reads the system instruction and every content, drops empty ones, and makes calls and responses pair. A request whose beginning is on the server stays as it is. */
export function decodeGemini(wire: unknown): Decoded {
  const system = decodeSystem(wire);
  const read = expectContents(wire).map((value, index) => decodeContent(expectMessage(value, index), index));
  if (!isKeptByServer(wire, GEMINI_SERVER)) return mend(system, read, wire);
  const items = withCallIds(read.map((message, index) => ({ index, message })));
  const messages = [...system, ...items.map((item) => item.message)];
  return { conversation: { format: 'gemini', messages, envelope: wire }, notes: [] };
}

function mend(prompt: readonly Message[], read: readonly Message[], wire: unknown): Decoded {
  const notes: DecodeNote[] = [];
  const mendOne = (message: Message, index: number): readonly Numbered[] => {
    const mended = mendContent(message, index, notes);
    return mended === null ? [] : [{ index, message: mended }];
  };
  const system = prompt.flatMap((message) => mendOne(message, -1)).map((item) => item.message);
  const paired = repairPairs(withCallIds(read.flatMap(mendOne)));
  const merged = mergeAnswers(paired.items);
  const messages = withStart(
    merged.items.map((item) => item.message),
    notes,
  );
  return {
    conversation: { format: 'gemini', messages: [...system, ...messages], envelope: wire },
    notes: [...notes, ...paired.notes, ...merged.notes].sort((one, other) => one.message - other.message),
  };
}

/** The system instruction: a content, or a text as the SDKs take it. Its `raw` is the field's value. */
function decodeSystem(wire: unknown): readonly Message[] {
  if (!isRecord(wire)) return [];
  const field = keyOf(wire, 'systemInstruction');
  const system = fieldOf(wire, 'systemInstruction');
  if (system === undefined || system === null || system === '') return [];
  if (typeof system === 'string') return [{ role: 'system', parts: [{ type: 'text', text: system }], raw: system }];
  if (!isRecord(system)) throw wrongField({ index: -1, field }, 'a content with parts, or a string', system);
  const parts = decodeParts(system, 'system', { index: -1, field: `${field}.parts` });
  return [{ role: 'system', parts, raw: system }];
}

function expectContents(wire: unknown): readonly unknown[] {
  const list = contentListOf(wire);
  if (list !== null) return list;
  const got = isRecord(wire) ? `\`contents\` with ${describe(wire['contents'])}` : describe(wire);
  throw new PrecisError(
    'bad-input',
    `expected an array of contents or an object with a \`contents\` array, got ${got}`,
    {
      field: 'contents',
    },
  );
}

/** A content without a role is the user's. Function responses once had a role of their own. */
const ROLES: ReadonlyMap<unknown, 'user' | 'assistant'> = new Map<unknown, 'user' | 'assistant'>([
  [undefined, 'user'],
  [null, 'user'],
  ['user', 'user'],
  ['function', 'user'],
  ['tool', 'user'],
  ['model', 'assistant'],
]);

function decodeContent(raw: GeminiContent, index: number): Message {
  const role = ROLES.get(raw.role);
  if (role === undefined) throw wrongField({ index, field: 'role' }, 'one of user, model', raw.role);
  const parts = decodeParts(raw, role, { index, field: 'parts' });
  const isTool = parts.length > 0 && parts.every((part) => part.type === 'tool-result');
  return { role: isTool ? 'tool' : role, parts, raw };
}

function decodeParts({ parts }: GeminiContent, role: Message['role'], { index, field }: Place): Message['parts'] {
  if (parts === undefined || parts === null) return [];
  const list = expectArray(parts, { index, field }, 'an array of parts');
  return list.map((part, at) => decodePart(part, role, { index, field: `${field}[${at}]` }));
}

/** Drops empty texts and a content that holds nothing else; puts answers first and makes each an object. */
function mendContent(message: Message, index: number, notes: DecodeNote[]): Message | null {
  const note = (text: string): void => void notes.push({ message: index, text });
  const parts = message.parts.filter((part) => part.type !== 'text' || part.text !== '');
  if (parts.length === 0) {
    note(`${message.role} message without content dropped`);
    return null;
  }
  if (parts.length < message.parts.length) note('empty text part dropped');
  const ordered = withResultsFirst(parts);
  const isOrdered = ordered.every((part, at) => part === parts[at]);
  if (!isOrdered) note('tool results moved before the other content of their message');
  const isWritten = parts.every((part) => part.type !== 'tool-result' || part.raw !== undefined);
  if (!isWritten) note('response of a function made an object');
  if (isOrdered && isWritten && parts.length === message.parts.length) return message;
  const isTool = ordered.every((part) => part.type === 'tool-result');
  return { ...withParts(message, ordered), role: isTool ? 'tool' : message.role };
}

function withStart(messages: readonly Message[], notes: DecodeNote[]): readonly Message[] {
  if (startsLegally(messages)) return messages;
  notes.push(MISSING_START_NOTE);
  return [missingStart, ...messages];
}
