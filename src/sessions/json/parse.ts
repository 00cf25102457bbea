import { PrecisError } from '../../core/errors.ts';
import { detectFormat } from '../../formats/detect.ts';
import { findJsonFault } from './json-fault.ts';
import { elementSpans, memberSpans, type Span, skipSpace } from './json-spans.ts';
import { placeAt } from './place.ts';

/** A file taken apart: the value a format decodes, and where each message stands in the text. */
export interface ParsedSession {
  readonly shape: 'array' | 'object' | 'jsonl';
  /** The list of messages, or the object around it. */
  readonly wire: unknown;
  readonly messages: readonly unknown[];
  /** One for each message. */
  readonly spans: readonly Span[];
  /** Span of a prompt beside the messages, if any. */
  readonly system: Span | null;
  /** Where an object holds messages and prompt. */
  readonly keys: DocumentKeys;
}

export interface DocumentKeys {
  readonly messages: string;
  readonly system: string;
}

/** What requests of the formats call their messages and their prompt, the first that is there. */
const KEYS: readonly DocumentKeys[] = [
  { messages: 'messages', system: 'system' },
  { messages: 'input', system: 'instructions' },
  { messages: 'contents', system: 'systemInstruction' },
  { messages: 'contents', system: 'system_instruction' },
];
const COMMON_KEYS: DocumentKeys = { messages: 'messages', system: 'system' };

/** The text as one JSON value, for `parseSession`; a mark of its own where it is none. */
export function parseRoot(text: string): unknown {
  return tryParse(text.slice(startOf(text)));
}

function startOf(text: string): number {
  return skipSpace(text, text.startsWith(BYTE_ORDER_MARK) ? 1 : 0);
}

/** `root` is what `parseRoot` gave. */
export function parseSession(text: string, name: string, root: unknown): ParsedSession {
  const start = startOf(text);
  if (start >= text.length) throw badFile(name, 'expected a conversation in JSON or JSONL, got an empty file');
  if (root === FAILED) return parseLines(text, start, name);
  if (Array.isArray(root)) {
    const spans = elementSpans(text, start);
    return { shape: 'array', wire: root, messages: root, spans, system: null, keys: COMMON_KEYS };
  }
  const keys = isObject(root) ? keysOf(root) : null;
  if (isObject(root) && keys !== null) return parseObject(text, start, root, keys);
  if (isObject(root) && ('role' in root || detectFormat([root]) !== null)) {
    const span = { start, end: text.trimEnd().length };
    return { shape: 'jsonl', wire: [root], messages: [root], spans: [span], system: null, keys: COMMON_KEYS };
  }
  const place = placeAt(text, start);
  throw badPlace(
    name,
    place.line,
    place.column,
    `expected an array of messages or an object with a \`messages\`, \`input\` or \`contents\` array, got ${gotInstead(root)}`,
  );
}

/** The error every reader throws: file, place, one sentence. */
export function badPlace(name: string, line: number, column: number, sentence: string, data: object = {}): PrecisError {
  return new PrecisError('bad-input', `${name}: line ${line}, column ${column}: ${sentence}`, {
    ...data,
    file: name,
    line,
    column,
  });
}

export function badFile(name: string, sentence: string): PrecisError {
  return new PrecisError('bad-input', `${name}: ${sentence}`, { file: name });
}

const BYTE_ORDER_MARK = '\ufeff';
const FAILED: unique symbol = Symbol('not JSON');

/** The keys of a request; its input may be one text, but so may that of a single item, which has a type. Null when it is none. */
function keysOf(root: Readonly<Record<string, unknown>>): DocumentKeys | null {
  const isHeld = ({ messages: key }: DocumentKeys): boolean =>
    Array.isArray(root[key]) || (key === 'input' && typeof root[key] === 'string' && root['type'] === undefined);
  const held = KEYS.find(isHeld);
  // Gemini spells the prompt in two ways.
  return KEYS.find(({ messages, system }) => messages === held?.messages && root[system] !== undefined) ?? held ?? null;
}

function parseObject(
  text: string,
  start: number,
  root: Readonly<Record<string, unknown>>,
  keys: DocumentKeys,
): ParsedSession {
  const members = memberSpans(text, start);
  const list = members.get(keys.messages);
  const value = root[keys.messages];
  const [messages, spans] = Array.isArray(value)
    ? [value, list === undefined ? [] : elementSpans(text, list.start)]
    : [[value], list === undefined ? [] : [list]];
  return { shape: 'object', wire: root, messages, spans, system: members.get(keys.system) ?? null, keys };
}

/** One message a line. Taken for that only when the first line is a JSON object by itself. */
function parseLines(text: string, start: number, name: string): ParsedSession {
  const lines = lineSpans(text, start);
  const [first] = lines;
  const isLines = first !== undefined && lines.length > 1 && isObject(tryParse(text.slice(first.start, first.end)));
  if (!isLines) throw notJson(text, { start, end: text.length }, name);
  const messages = lines.map((line) => {
    const value = tryParse(text.slice(line.start, line.end));
    if (value === FAILED) throw notJson(text, line, name);
    if (isObject(value) && !('messages' in value && Array.isArray(value['messages']))) return value;
    const { line: number } = placeAt(text, line.start);
    const got = isObject(value) ? 'a whole conversation' : kindOf(value);
    throw badPlace(name, number, 1, `expected one message a line, got ${got}`);
  });
  return { shape: 'jsonl', wire: messages, messages, spans: lines, system: null, keys: COMMON_KEYS };
}

/** Lines that hold something, without the space around it. */
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
  const { line, column } = placeAt(text, span.start + (fault?.offset ?? 0));
  const expected = fault?.expected ?? 'JSON';
  if (fault?.isTruncated === true)
    return badPlace(name, line, column, `expected ${expected}, but the text ends here: the JSON is cut off`);
  const got = fault === null ? 'something else' : shownCharacter(part, fault.offset);
  return badPlace(name, line, column, `expected ${expected}, got ${got}: not valid JSON`);
}

/** Never a raw control character: it would end up on a terminal. */
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function gotInstead(root: unknown): string {
  const key = KEYS.map(({ messages }) => messages).find((name) => isObject(root) && name in root);
  return isObject(root) && key !== undefined ? `\`${key}\` with ${kindOf(root[key])}` : kindOf(root);
}

function kindOf(value: unknown): string {
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
