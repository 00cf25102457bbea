import { PrecisError } from '../../core/errors.ts';
import type { Piece } from './store.ts';

/** Shorter strings cost less in place than a reference does. */
const CONTENT_CHARS = 200;

/**
 * Writes plain data as text. Each long string is stored once, apart from the JSON, and an object that occurs twice is written once, because a
 * message holds most of its parts twice: in wire form and decoded. Bytes and URLs, which JSON cannot hold, keep their type.
 */
export function toPiece(value: unknown): Piece {
  const contents: string[] = [];
  const places = new Map<string, number>();
  const objects = new Map<object, number>();
  const handle = (text: string): unknown => {
    const place = places.get(text) ?? contents.push(text) - 1;
    places.set(text, place);
    return { $c: place };
  };
  const walk = (at: unknown): unknown => {
    if (typeof at === 'string') return at.length < CONTENT_CHARS ? at : handle(at);
    if (typeof at !== 'object' || at === null) return at;
    if (at instanceof Uint8Array) return { $bytes: walk(base64Of(at)) };
    if (at instanceof URL) return { $url: at.href };
    const earlier = objects.get(at);
    if (earlier !== undefined) return { $o: earlier };
    objects.set(at, objects.size);
    if (Array.isArray(at)) return at.map(walk);
    const kind = Object.getPrototypeOf(at);
    if (kind !== Object.prototype && kind !== null) throw notPlain(at);
    const copy = Object.entries(at).map(([key, each]) => [key, walk(each)] as const);
    // Data that looks like one of our marks is wrapped, so that it comes back unchanged.
    return isMark(at) ? { $as: copy } : Object.fromEntries(copy);
  };
  return { body: JSON.stringify(walk(value)), contents };
}

/** Reads a piece back into an equal value. An object that occurred twice is one object again. */
export function fromPiece({ body, contents }: Piece): unknown {
  const objects: object[] = [];
  const fill = (into: object, entries: Iterable<readonly [string, unknown]>): object => {
    objects.push(into);
    // Defined, not assigned: a key may have a name such as `__proto__`.
    for (const [key, each] of entries)
      Object.defineProperty(into, key, { value: walk(each), enumerable: true, writable: true, configurable: true });
    return into;
  };
  const walk = (at: unknown): unknown => {
    if (typeof at !== 'object' || at === null) return at;
    if (Array.isArray(at)) {
      const list: unknown[] = [];
      objects.push(list);
      for (const each of at) list.push(walk(each));
      return list;
    }
    return isMark(at) ? unmark(at as Mark) : fill({}, Object.entries(at));
  };
  const unmark = (mark: Mark): unknown => {
    if (mark.$c !== undefined) return contents[mark.$c];
    if (mark.$o !== undefined) return objects[mark.$o];
    if (mark.$bytes !== undefined) return bytesOf(String(walk(mark.$bytes)));
    if (mark.$url !== undefined) return new URL(mark.$url);
    return fill({}, mark.$as ?? []);
  };
  return walk(JSON.parse(body));
}

/** An object with one key that replaces something else: a string of `contents`, an earlier object, or a value that JSON cannot hold. */
interface Mark {
  readonly $c?: number;
  readonly $o?: number;
  readonly $bytes?: unknown;
  readonly $url?: string;
  readonly $as?: readonly (readonly [string, unknown])[];
}

const MARKS: ReadonlySet<string> = new Set(['$c', '$o', '$bytes', '$url', '$as']);

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
