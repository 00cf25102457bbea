import { isRecord, type WireRecord } from './guards.ts';

/** The object that a text is the JSON of; null for any other text. */
export function objectOf(text: string): WireRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
