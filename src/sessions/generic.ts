import type { Conversation } from '../core/conversation/conversation.ts';
import type { SoundConversation } from '../core/conversation/sound.ts';
import { PrecisError } from '../core/errors.ts';
import type { Decoded, DecodeNote, Format } from '../core/format.ts';
import { detectFormat, formatById, formats } from '../formats/detect.ts';
import { openaiChat } from '../formats/openai-chat/index.ts';
import { badFile, badPlace, type ParsedSession, parseSession } from './parse.ts';
import { placeAt } from './place.ts';
import { spliceMessages, spliceValue } from './splice.ts';

/** A conversation read from a file, and the way back to that file. */
export interface SessionDocument {
  readonly shape: 'array' | 'object' | 'jsonl';
  readonly format: Format;
  readonly conversation: Conversation;
  readonly notes: readonly DecodeNote[];
  /** The document with this conversation in it: byte for byte the input when nothing changed. */
  write(conversation: SoundConversation): string;
}

export interface ReadOptions {
  /** Name of the file, for errors. */
  readonly name: string;
  /** Id of the format, when it is not to be found by content. */
  readonly format?: string;
}

/** Reads a JSON array of messages, an object with `messages`, `input` or `contents`, or JSONL with one message a line. */
export function readSession(text: string, { name, format: formatId }: ReadOptions): SessionDocument {
  const chosen = formatId === undefined ? null : namedFormat(formatId);
  const parsed = parseSession(text, name);
  if (parsed.messages.length === 0) throw badFile(name, 'expected at least one message, got none');
  // What no format knows is read as the most common one, whose error then says what is missing.
  const format = chosen ?? detectFormat(parsed.wire) ?? openaiChat;
  const { conversation, notes } = decode(format, parsed, { text, name });
  if (conversation.messages.length === 0) throw badFile(name, 'expected at least one message with content, got none');
  return {
    shape: parsed.shape,
    format,
    conversation,
    notes,
    write: (edited) => write(text, parsed, format.encode(edited)),
  };
}

function namedFormat(id: string): Format {
  const format = formatById(id);
  if (format !== null) return format;
  const known = formats.map((each) => each.id).join(', ');
  throw new PrecisError('unknown-format', `Expected \`format\` to be one of ${known}, got \`${id}\` (string)`, {
    format: id,
  });
}

/** Decodes, and puts the file and the line before the error of a format. */
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
    const { line, column } = placeAt(text, span.start);
    throw badPlace(name, line, column, error.message, error.data);
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
  // What came, went or stands under another key has no place in the text to go to; the document is printed anew.
  if (!isListed || isMoved || isElsewhere) return JSON.stringify(encoded, null, 2);
  if (parsed.system === null || system === wire?.[prompt]) return spliceMessages(text, parsed, messages);
  return writeWithSystem(text, parsed, { messages, system, span: parsed.system });
}

interface WithSystem {
  readonly messages: readonly unknown[];
  readonly system: unknown;
  readonly span: { readonly start: number; readonly end: number };
}

/** Splices the later of the two first, so that the offsets of the earlier stay right. */
function writeWithSystem(text: string, parsed: ParsedSession, { messages, system, span }: WithSystem): string {
  const firstMessage = parsed.spans[0]?.start ?? 0;
  if (span.start > firstMessage) return spliceMessages(spliceValue(text, span, system), parsed, messages);
  const tail = spliceMessages(text, parsed, messages).slice(span.end);
  return spliceValue(text.slice(0, span.end), span, system) + tail;
}
