import { isRecord, type WireRecord } from '../../formats/guards.ts';
import type { SessionUsage } from '../reader.ts';

export { isRecord, type WireRecord } from '../../formats/guards.ts';

/** Returns the fields of a value, each unchecked. Programs that write logs change, so a missing field is simply unknown. */

export function fieldsOf(value: unknown): WireRecord {
  return isRecord(value) ? value : NOTHING;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function recordsOf(value: unknown): readonly WireRecord[] {
  return listOf(value).filter(isRecord);
}

/** A string that is not empty, else undefined. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** A time as ISO 8601, from text, or from seconds or milliseconds since 1970. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return Number.isNaN(Date.parse(value)) ? undefined : value;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  const date = new Date(value < SECONDS_BELOW ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Every time after 1973 is larger in milliseconds, and every time before the year 5138 is smaller in seconds. */
const SECONDS_BELOW = 1e11;
const NOTHING: WireRecord = {};

/** The text of a content field: a string, or parts that hold one text each. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .flatMap((part) => stringOf(part['text']) ?? [])
    .join('\n');
}

/** Arguments of a call as text. Agents write an object, or its JSON. */
export function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}

/** The value of a JSON text; null where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Usage, unless all of it is zero: logs write zeros for failed requests. */
export function usageOf(usage: SessionUsage): SessionUsage | undefined {
  return usage.inputTokens + usage.outputTokens > 0 ? usage : undefined;
}

/** Usage in a log that counts cached input apart from the rest of the input. */
export function usageWithCache(tokens: {
  readonly input: unknown;
  readonly cacheRead: unknown;
  readonly cacheWrite: unknown;
  readonly output: unknown;
}): SessionUsage | undefined {
  const cachedInputTokens = numberOf(tokens.cacheRead);
  const cacheWriteTokens = numberOf(tokens.cacheWrite);
  return usageOf({
    inputTokens: numberOf(tokens.input) + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: numberOf(tokens.output),
  });
}

/** The object without keys that hold undefined: optional means absent. */
export function compactFields<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
}

/** `1 message`, `2 messages`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
