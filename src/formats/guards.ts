import { PrecisError } from '../core/errors.ts';

/** A JSON object whose fields have not been checked yet. */
export type WireRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The place of a value, for errors. */
export interface Place {
  /** Index of the message; negative for a field of the request around the messages. */
  readonly index: number;
  readonly field: string;
}

/** Every codec reports a wrong shape this way. Sentences count messages from 1, as people and the handoff do; `data` holds the index. */
export function wrongField({ index, field }: Place, expected: string, got: unknown): PrecisError {
  const sentence = `expected \`${field}\` to be ${expected}, got ${describe(got)}`;
  if (index < 0) return new PrecisError('bad-input', sentence, { field });
  return new PrecisError('bad-input', `message ${index + 1}: ${sentence}`, { message: index, field });
}

export function expectRecord(value: unknown, index: number, field: string): WireRecord {
  if (!isRecord(value)) throw wrongField({ index, field }, 'an object', value);
  return value;
}

export function expectString(value: unknown, index: number, field: string): string {
  if (typeof value !== 'string') throw wrongField({ index, field }, 'a string', value);
  return value;
}

export function expectArray(value: unknown, place: Place, expected: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongField(place, expected, value);
  return value;
}

/** Expects an item of the list to be a message. The item has no field, so the error names the whole item. */
export function expectMessage(value: unknown, message: number): WireRecord {
  if (isRecord(value)) return value;
  throw new PrecisError(
    'bad-input',
    `message ${message + 1}: expected an object with a \`role\`, got ${describe(value)}`,
    {
      message,
      field: 'role',
    },
  );
}

/** The messages of a wire value: the list itself, or the `messages` of an object; null for anything else. */
export function messageListOf(wire: unknown): readonly unknown[] | null {
  if (Array.isArray(wire)) return wire;
  if (!isRecord(wire)) return null;
  const messages = wire['messages'];
  return Array.isArray(messages) ? messages : null;
}

export function expectMessageList(wire: unknown): readonly unknown[] {
  const list = messageListOf(wire);
  if (list !== null) return list;
  const got = isRecord(wire) ? `\`messages\` with ${describe(wire['messages'])}` : describe(wire);
  throw new PrecisError(
    'bad-input',
    `expected an array of messages or an object with a \`messages\` array, got ${got}`,
    {
      field: 'messages',
    },
  );
}

const SHOWN_CHARACTERS = 40;

export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return '`null`';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = String(value);
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return `\`${shown}\` (${typeof value})`;
}

/** The JSON of a value; null for a value without JSON: undefined, circular, or nested too deep for the stack. */
export function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}
