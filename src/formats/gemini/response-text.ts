import { jsonOf, type WireRecord } from '../guards.ts';

/** Keys under which tools put their whole output as a text; the first two are those of the API. */
const TEXT_KEYS = ['output', 'error', 'result', 'content'] as const;

/** The key of a response that is one text and nothing else, null for any other response. */
export function textKeyOf(response: WireRecord): string | null {
  const [key, ...others] = Object.keys(response);
  if (key === undefined || others.length > 0 || typeof response[key] !== 'string') return null;
  return TEXT_KEYS.some((known) => known === key) ? key : null;
}

/**
 * What a function answered, as text: the one text it is, or its fields line by line, so that text with line breaks can be read as such. Empty
 * for an empty answer.
 */
export function responseText(response: WireRecord): string {
  const key = textKeyOf(response);
  if (key !== null) return String(response[key]);
  return Object.entries(response)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : (jsonOf(value) ?? '')}`)
    .join('\n');
}

/** The tool says that it failed. */
export function isFailure(response: WireRecord): boolean {
  return response['error'] !== undefined && response['error'] !== null && response['error'] !== '';
}

/** An answer that says this text: under its own key where it was one text, else under the key of the API. */
export function responseOf(text: string, base: WireRecord, isError: boolean): WireRecord {
  return { [textKeyOf(base) ?? (isError ? 'error' : 'output')]: text };
}
