/** The content of a `data:` URL, not yet decoded. */
export interface DataUrl {
  readonly mediaType: string | null;
  readonly base64: string;
}

const LONGEST_HEAD = 200;

/** Splits a base64 `data:` URL; null for any other URL. */
export function parseDataUrl(url: string): DataUrl | null {
  if (!url.startsWith('data:')) return null;
  const comma = url.slice(0, LONGEST_HEAD).indexOf(',');
  if (comma < 0) return null;
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  if (!parameters.includes('base64')) return null;
  return { mediaType: mediaType === '' ? null : mediaType, base64: url.slice(comma + 1) };
}

/** Number of bytes that a base64 text encodes. */
export function base64Bytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
