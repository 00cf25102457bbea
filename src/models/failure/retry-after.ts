/**
 * Returns the milliseconds until the provider allows a retry: from `retry-after-ms`, `retry-after` in seconds or as a date, or Google's
 * `retryDelay` in the body. Null when it names no time.
 */
export function retryAfterOf(
  headers: Readonly<Record<string, unknown>>,
  body: string,
  now: () => number,
): number | null {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()]));
  const exact = numberOf(named.get('retry-after-ms'));
  if (exact !== null) return Math.ceil(exact);
  const after = named.get('retry-after');
  const seconds = numberOf(after) ?? numberOf(/"retryDelay"\s?:\s?"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body)?.[1]);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  const date = Date.parse(after ?? '');
  return Number.isNaN(date) ? null : Math.max(0, date - now());
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}(?:\.\d+)?$/.test(text) ? Number(text) : null;
}
