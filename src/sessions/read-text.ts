import { PrecisError } from '../core/errors.ts';
import type { Decoded, Format } from '../core/format.ts';
import { detectFormat, formatById, formats } from '../formats/detect.ts';
import { openaiChat } from '../formats/openai-chat/index.ts';
import { badFile, badPlace } from './bad-file.ts';
import { documentOfLog, genericSource, type SessionDocument } from './document.ts';
import { type ParsedSession, parseRoot, parseSession } from './json/parse.ts';
import { placeAt } from './json/place.ts';
import { spliceMessages, spliceValue } from './json/splice.ts';
import { HEAD_LINES, LineLog, opensDocument, type ParsedLine, parseLine, readerOfLines } from './line-log.ts';
import type { ReaderOptions } from './reader.ts';
import { detectReader } from './readers.ts';

/** How to read a session from text. */
export interface ReadOptions extends ReaderOptions {
  /** Name of the file, for errors. */
  readonly name: string;
  /** Id of the format, e.g. `openai-chat`. The text is then read as messages of that format, never as a log. @default detected by content */
  readonly format?: string;
}

/** Reads an agent's log, a JSON array of messages, an object with `messages`, `input` or `contents`, or JSONL with one message per line. */
export function readSession(text: string, options: ReadOptions): SessionDocument {
  const { name, format: formatId } = options;
  const chosen = formatId === undefined ? null : namedFormat(formatId);
  const log = chosen === null ? readLines(text, options) : null;
  if (log !== null) return log;
  const root = parseRoot(text);
  const document = chosen === null ? readDocument(root, options) : null;
  if (document !== null) return document;
  const parsed = parseSession(text, name, root);
  if (parsed.messages.length === 0) throw badFile(name, 'expected at least one message, got none');
  // An unknown format is read as the most common one, whose error says what is missing.
  const format = chosen ?? detectFormat(parsed.wire) ?? openaiChat;
  const { conversation, notes } = decode(format, parsed, { text, name });
  if (conversation.messages.length === 0) throw badFile(name, 'expected at least one message with content, got none');
  return {
    shape: parsed.shape,
    format,
    conversation,
    notes,
    source: genericSource(conversation),
    write: (edited, wire = format.encode(edited)) => write(text, parsed, wire),
  };
}

/** Reads a log of lines; null when the first lines belong to no known log. */
function readLines(text: string, options: ReadOptions): SessionDocument | null {
  const head: ParsedLine[] = [];
  let first = '';
  for (const [line, number] of linesOf(text)) {
    const parsed = parseLine(line, number);
    if (parsed === null) continue;
    if (first === '') first = line;
    head.push(parsed);
    if (head.length >= HEAD_LINES || opensDocument(first)) break;
  }
  const reader = readerOfLines(head, first);
  if (reader === null) return null;
  const log = new LineLog(reader, options);
  for (const [line, number] of linesOf(text)) {
    const parsed = parseLine(line, number);
    if (parsed !== null) log.add(parsed);
  }
  return log.end(options.name);
}

function* linesOf(text: string): Generator<readonly [line: string, number: number]> {
  let number = 0;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    number += 1;
    yield [text.slice(at, end), number];
    at = end + 1;
  }
}

/** Reads a log that is one JSON value, or an array with the lines of a log; null for anything else. */
function readDocument(root: unknown, options: ReadOptions): SessionDocument | null {
  const lines = Array.isArray(root) ? root.slice(0, HEAD_LINES) : [];
  const whole = detectReader({ type: 'document', value: root });
  const reader = whole ?? (lines.length === 0 ? null : detectReader({ type: 'lines', values: lines }));
  if (reader === null) return null;
  const collector = reader.start(options);
  (whole === null && Array.isArray(root) ? root : [root]).forEach((value, index) => collector.add(value, index + 1));
  return documentOfLog(collector.end(), reader, options.name);
}

function namedFormat(id: string): Format {
  const format = formatById(id);
  if (format !== null) return format;
  const known = formats.map((each) => each.id).join(', ');
  throw new PrecisError('unknown-format', `Expected \`format\` to be one of ${known}, got \`${id}\` (string)`, {
    format: id,
  });
}

/** Decodes, and adds file and line to the format's error. */
function decode(
  format: Format,
  parsed: ParsedSession,
  { text, name }: { readonly text: string; readonly name: string },
): Decoded {
  try {
    return format.decode(parsed.wire);
  } catch (error) {
    if (!PrecisError.is(error)) throw error;
    const { message } = error.data;
    const span = typeof message === 'number' ? parsed.spans[message] : undefined;
    if (span === undefined) throw badFile(name, error.message);
    throw badPlace({ name, ...placeAt(text, span.start) }, error.message, error.data);
  }
}

function write(text: string, parsed: ParsedSession, encoded: unknown): string {
  if (encoded === parsed.wire) return text;
  if (Array.isArray(encoded)) return spliceMessages(text, parsed, encoded);
  const { messages: list, system: prompt } = parsed.keys;
  const [wire, written] = [parsed.wire, encoded] as readonly Readonly<Record<string, unknown>>[];
  const [messages, system] = [written?.[list], written?.[prompt]];
  const isListed = Array.isArray(messages) && Array.isArray(wire?.[list]);
  const isMoved = system !== wire?.[prompt] && (parsed.system === null || system === undefined);
  const isElsewhere = messages === wire?.[list] && system === wire?.[prompt];
  // A change outside the messages and the prompt has no place in the text, so the document is printed again.
  if (!isListed || isMoved || isElsewhere) return JSON.stringify(encoded, null, 2);
  if (parsed.system === null || system === wire?.[prompt]) return spliceMessages(text, parsed, messages);
  return writeWithSystem(text, parsed, { messages, system, span: parsed.system });
}

interface WithSystem {
  readonly messages: readonly unknown[];
  readonly system: unknown;
  readonly span: { readonly start: number; readonly end: number };
}

/** Splices the later of the two first, which keeps the offsets of the earlier one valid. */
function writeWithSystem(text: string, parsed: ParsedSession, { messages, system, span }: WithSystem): string {
  const firstMessage = parsed.spans[0]?.start ?? 0;
  if (span.start > firstMessage) return spliceMessages(spliceValue(text, span, system), parsed, messages);
  const tail = spliceMessages(text, parsed, messages).slice(span.end);
  return spliceValue(text.slice(0, span.end), span, system) + tail;
}
