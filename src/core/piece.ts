import { PrecisError } from './errors.ts';
import type { Piece } from './store.ts';

/** Shorter strings cost less in place than a handle does. */
const CONTENT_CHARS = 200;

/**
 * A value of plain data as text. Long strings stand apart and only once each: a message holds its text as it was on the wire and as it is
 * read, and both are the same string. Bytes and addresses, which JSON does not know, keep their kind.
 */
export function toPiece(value: unknown): Piece {
  const contents: string[] = [];
  const places = new Map<string, number>();
  const handle = (text: string): unknown => {
    const known = places.get(text);
    if (known !== undefined) return { $c: known };
    places.set(text, contents.length);
    contents.push(text);
    return { $c: contents.length - 1 };
  };
  const walk = (at: unknown): unknown => {
    if (typeof at === 'string') return at.length < CONTENT_CHARS ? at : handle(at);
    if (typeof at !== 'object' || at === null) return at;
    if (Array.isArray(at)) return at.map(walk);
    if (at instanceof Uint8Array) return { $bytes: walk(base64Of(at)) };
    if (at instanceof URL) return { $url: at.href };
    const kind = Object.getPrototypeOf(at);
    if (kind !== Object.prototype && kind !== null) throw notPlain(at);
    const copy = Object.fromEntries(Object.entries(at).map(([key, each]) => [key, walk(each)]));
    // Data that looks like one of our own marks is wrapped, so that it comes back as it was.
    return isMark(at) ? { $as: Object.entries(copy) } : copy;
  };
  return { body: JSON.stringify(walk(value)), contents };
}

export function fromPiece({ body, contents }: Piece): unknown {
  const walk = (at: unknown): unknown => {
    if (typeof at !== 'object' || at === null) return at;
    if (Array.isArray(at)) return at.map(walk);
    if (isMark(at)) return unmark(at as Mark);
    return Object.fromEntries(Object.entries(at).map(([key, each]) => [key, walk(each)]));
  };
  const unmark = (mark: Mark): unknown => {
    if (mark.$c !== undefined) return contents[mark.$c];
    if (mark.$bytes !== undefined) return bytesOf(String(walk(mark.$bytes)));
    if (mark.$url !== undefined) return new URL(mark.$url);
    return Object.fromEntries((mark.$as ?? []).map(([key, each]) => [key, walk(each)]));
  };
  return walk(JSON.parse(body));
}

/** An object of one key that stands for something else. */
interface Mark {
  readonly $c?: number;
  readonly $bytes?: unknown;
  readonly $url?: string;
  readonly $as?: readonly (readonly [string, unknown])[];
}

const MARKS: ReadonlySet<string> = new Set(['$c', '$bytes', '$url', '$as']);

function isMark(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length === 1 && MARKS.has(keys[0] ?? '');
}

function notPlain(value: object): PrecisError {
  const name = value.constructor?.name ?? 'unknown';
  return new PrecisError(
    'bad-input',
    `Expected messages of plain data, which can be stored, got an object of class ${name}; give it in its JSON form`,
    { class: name },
  );
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
