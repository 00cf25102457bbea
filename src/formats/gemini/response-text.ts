import { jsonOf, type WireRecord } from '../guards.ts';

/** Keys under which tools return their whole output as text; the first two are the API's own. */
const TEXT_KEYS = ['output', 'error', 'result', 'content'] as const;

/** The key of a response that is a single text; null for any other response. */
export function textKeyOf(response: WireRecord): string | null {
  const [key, ...others] = Object.keys(response);
  if (key === undefined || others.length > 0 || typeof response[key] !== 'string') return null;
  return TEXT_KEYS.some((known) => known === key) ? key : null;
}

/** A function's answer as text: its single text, or its fields line by line, so that line breaks stay readable. Empty for an empty answer. */
export function responseText(response: WireRecord): string {
  const key = textKeyOf(response);
  if (key !== null) return String(response[key]);
  return Object.entries(response)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : (jsonOf(value) ?? '')}`)
    .join('\n');
}

/** True when the tool reports a failure. */
export function isFailure(response: WireRecord): boolean {
  return response['error'] !== undefined && response['error'] !== null && response['error'] !== '';
}

/** An answer with this text: under the key it had, where it was a single text, else under the API's key. */
export function responseOf(text: string, base: WireRecord, isError: boolean): WireRecord {
  return { [textKeyOf(base) ?? (isError ? 'error' : 'output')]: text };
}
