import type { Wire } from '../said.ts';

/** The rules of one API, and its memory of what it signed. Written from the API's documentation, apart from the codecs it checks. */
export interface Checker {
  /** Everything for which the API would refuse the request; the rule comes first. */
  readonly check: (request: unknown) => readonly string[];
  /** The answer to a request with its signatures filled in. */
  readonly sign: (request: unknown, answer: readonly Wire[]) => readonly Wire[];
}

export interface CheckerOptions {
  /** The host itself sends system messages in the middle. */
  readonly hasReminders: boolean;
}

export function isRecord(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listIn(request: unknown, key: string): readonly Wire[] {
  const list = Array.isArray(request) ? request : isRecord(request) ? request[key] : null;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

export function records(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** True when a text, or any text block of a list, holds nothing. */
export function hasBlankText(content: unknown): boolean {
  if (isBlank(content)) return true;
  return records(content).some((part) => 'text' in part && (typeof part['text'] !== 'string' || part['text'] === ''));
}

export function isJson(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** Ids that occur in one list and not in the other, or twice. */
export function unpaired(calls: readonly unknown[], results: readonly unknown[]): string | null {
  const unanswered = calls.find((id) => !results.includes(id));
  if (unanswered !== undefined) return `call ${String(unanswered)} has no result`;
  const orphan = results.find((id) => !calls.includes(id));
  if (orphan !== undefined) return `result ${String(orphan)} has no call`;
  if (new Set(results).size < results.length) return 'a call has two results';
  return new Set(calls).size < calls.length ? 'two calls share an id' : null;
}
