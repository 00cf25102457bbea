import type { PrecisError } from '../../core/errors.ts';
import { detectFormat } from '../../formats/detect.ts';
import { isRecord, type WireRecord } from '../../formats/guards.ts';
import { badFile, badPlace } from '../bad-file.ts';
import { findJsonFault } from './fault.ts';
import { placeAt } from './place.ts';
import { elementSpans, memberSpans, type Span, skipSpace } from './spans.ts';

/** A parsed file: the value that a format decodes, and the place of each message in the text. */
export interface ParsedSession {
  readonly shape: 'array' | 'object' | 'jsonl';
  /** The list of messages, or the object around it. */
  readonly wire: unknown;
  readonly messages: readonly unknown[];
  /** One per message. */
  readonly spans: readonly Span[];
  /** Span of a prompt outside the message list, if any. */
  readonly system: Span | null;
  /** The fields that hold messages and prompt. */
  readonly keys: DocumentKeys;
}

export interface DocumentKeys {
  readonly messages: string;
  readonly system: string;
}

/** Names that the formats give to messages and prompt; the first match counts. */
const KEYS: readonly DocumentKeys[] = [
  { messages: 'messages', system: 'system' },
  { messages: 'input', system: 'instructions' },
  { messages: 'contents', system: 'systemInstruction' },
  { messages: 'contents', system: 'system_instruction' },
];
const COMMON_KEYS: DocumentKeys = { messages: 'messages', system: 'system' };

/** Parses the text as one JSON value for `parseSession`; a private mark when it is not JSON. */
export function parseRoot(text: string): unknown {
  return tryParse(text.slice(startOf(text)));
}

function startOf(text: string): number {
  return skipSpace(text, text.startsWith(BYTE_ORDER_MARK) ? 1 : 0);
}

/** Finds the messages of a file. `root` comes from `parseRoot`. */
export function parseSession(text: string, name: string, root: unknown): ParsedSession {
  const start = startOf(text);
  if (start >= text.length) throw badFile(name, 'expected a conversation in JSON or JSONL, got an empty file');
  if (root === FAILED) return parseLines(text, start, name);
  if (Array.isArray(root)) {
    const spans = elementSpans(text, start);
    return { shape: 'array', wire: root, messages: root, spans, system: null, keys: COMMON_KEYS };
  }
  const request = isRecord(root) ? parseRequest(text, start, root) : null;
  if (request !== null) return request;
  if (isRecord(root) && ('role' in root || detectFormat([root]) !== null)) {
    const span = { start, end: text.trimEnd().length };
    return { shape: 'jsonl', wire: [root], messages: [root], spans: [span], system: null, keys: COMMON_KEYS };
  }
  throw badPlace(
    { name, ...placeAt(text, start) },
    `expected an array of messages or an object with a \`messages\`, \`input\` or \`contents\` array, got ${gotInstead(root)}`,
  );
}

const BYTE_ORDER_MARK = '\ufeff';
const FAILED: unique symbol = Symbol('not JSON');

/** The keys of a request; null when it is none. The `input` of a request may be a text, but so may the `input` of a single item, which has a type. */
function keysOf(root: WireRecord): DocumentKeys | null {
  const isHeld = ({ messages: key }: DocumentKeys): boolean =>
    Array.isArray(root[key]) || (key === 'input' && typeof root[key] === 'string' && root['type'] === undefined);
  const held = KEYS.find(isHeld);
  // Gemini has two spellings for the prompt.
  return KEYS.find(({ messages, system }) => messages === held?.messages && root[system] !== undefined) ?? held ?? null;
}

/** An object that holds the messages in a field; null when it holds none. */
function parseRequest(text: string, start: number, root: WireRecord): ParsedSession | null {
  const keys = keysOf(root);
  if (keys === null) return null;
  const members = memberSpans(text, start);
  const list = members.get(keys.messages);
  const value = root[keys.messages];
  const [messages, spans] = Array.isArray(value)
    ? [value, list === undefined ? [] : elementSpans(text, list.start)]
    : [[value], list === undefined ? [] : [list]];
  return { shape: 'object', wire: root, messages, spans, system: members.get(keys.system) ?? null, keys };
}

/** One message per line. Only a text whose first line is a JSON object of its own counts as such. */
function parseLines(text: string, start: number, name: string): ParsedSession {
  const lines = lineSpans(text, start);
  const [first] = lines;
  const isLines = first !== undefined && lines.length > 1 && isRecord(tryParse(text.slice(first.start, first.end)));
  if (!isLines) throw notJson(text, { start, end: text.length }, name);
  const messages = lines.map((line) => {
    const value = tryParse(text.slice(line.start, line.end));
    if (value === FAILED) throw notJson(text, line, name);
    if (isRecord(value) && !('messages' in value && Array.isArray(value['messages']))) return value;
    const got = isRecord(value) ? 'a whole conversation' : shownValue(value);
    throw badPlace(
      { name, line: placeAt(text, line.start).line, column: 1 },
      `expected one message a line, got ${got}`,
    );
  });
  return { shape: 'jsonl', wire: messages, messages, spans: lines, system: null, keys: COMMON_KEYS };
}

/** Spans of the lines that are not blank, without the space around them. */
function lineSpans(text: string, start: number): readonly Span[] {
  const spans: Span[] = [];
  for (let at = start; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    const trimmed = line.trim();
    const offset = at + line.indexOf(trimmed);
    if (trimmed !== '') spans.push({ start: offset, end: offset + trimmed.length });
    at = end + 1;
  }
  return spans;
}

function notJson(text: string, span: Span, name: string): PrecisError {
  const part = text.slice(span.start, span.end).trimEnd();
  const fault = findJsonFault(part);
  const place = { name, ...placeAt(text, span.start + (fault?.offset ?? 0)) };
  const expected = fault?.expected ?? 'JSON';
  if (fault?.isTruncated === true)
    return badPlace(place, `expected ${expected}, but the text ends here: the JSON is cut off`);
  const got = fault === null ? 'something else' : shownCharacter(part, fault.offset);
  return badPlace(place, `expected ${expected}, got ${got}: not valid JSON`);
}

/** Never shows a raw control character, which would end up on a terminal. */
function shownCharacter(text: string, offset: number): string {
  const code = text.codePointAt(offset) ?? 0;
  const character = String.fromCodePoint(code);
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return `\`${character}\``;
  return `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return FAILED;
  }
}

function gotInstead(root: unknown): string {
  const key = KEYS.map(({ messages }) => messages).find((name) => isRecord(root) && name in root);
  return isRecord(root) && key !== undefined ? `\`${key}\` with ${shownValue(root[key])}` : shownValue(root);
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (value === null) return '`null`';
  if (typeof value === 'object') return `an object with ${shownKeys(value)}`;
  return `a ${typeof value}`;
}

function shownKeys(value: object): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'no keys';
  const shown = keys.slice(0, 5).map((key) => `\`${key}\``);
  return `${shown.join(', ')}${keys.length > 5 ? ', …' : ''}`;
}
