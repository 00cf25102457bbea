import { isRecord, type WireRecord } from './guards.ts';

/** Parses a JSON object; null for any other text. */
export function parseObject(text: string): WireRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
