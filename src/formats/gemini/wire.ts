import { isRecord, type WireRecord } from '../guards.ts';

/** The API accepts two spellings of every field; each field keeps the spelling it came in. */
const SPELLINGS = {
  systemInstruction: 'system_instruction',
  functionCall: 'function_call',
  functionResponse: 'function_response',
  inlineData: 'inline_data',
  fileData: 'file_data',
  thoughtSignature: 'thought_signature',
  mimeType: 'mime_type',
  fileUri: 'file_uri',
  displayName: 'display_name',
} as const;

export type FieldName = keyof typeof SPELLINGS;

/** The spelling that a record uses for a field; the common one when it has neither. */
export function keyOf(record: WireRecord, field: FieldName): string {
  const other = SPELLINGS[field];
  return record[field] === undefined && record[other] !== undefined ? other : field;
}

export function fieldOf(record: WireRecord, field: FieldName): unknown {
  return record[keyOf(record, field)];
}

export interface GeminiContent extends WireRecord {
  readonly role?: unknown;
  readonly parts?: unknown;
}

/** The contents of a wire value: the list itself, or the `contents` of a request; null for anything else. */
export function contentListOf(wire: unknown): readonly unknown[] | null {
  if (Array.isArray(wire)) return wire;
  const contents = isRecord(wire) ? wire['contents'] : undefined;
  return Array.isArray(contents) ? contents : null;
}

/** True when a part carries the signature of a thought. */
export function hasSignature(part: WireRecord): boolean {
  return typeof fieldOf(part, 'thoughtSignature') === 'string';
}
