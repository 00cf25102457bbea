import type { Conversation } from '../core/conversation/conversation.ts';
import type { SoundConversation } from '../core/conversation/sound.ts';
import { PrecisError } from '../core/errors.ts';
import type { Decoded, Format } from '../core/format.ts';
import { anthropic } from '../formats/anthropic/index.ts';
import { openaiChat } from '../formats/openai-chat/index.ts';
import { badFile } from './bad-file.ts';
import type { LogMessage, MessageRecord, SessionLog, SessionMeta, SessionNote, SessionReader } from './reader.ts';

/** A conversation read from a file, and the way back to that file. */
export interface SessionDocument {
  /**
   * Shape of the file: a JSON array, an object around one, JSON lines, or `log` for an agent's log. A log is never written to: `write` gives plain
   * messages.
   */
  readonly shape: 'array' | 'object' | 'jsonl' | 'log';
  /** The format of the messages, detected by content unless it was given. */
  readonly format: Format;
  /** The messages, with calls and results paired. */
  readonly conversation: Conversation;
  /** Everything that was left out or repaired while reading; empty for a clean file. */
  readonly notes: readonly SessionNote[];
  /** The reader that read the file, and facts the log holds about the session. */
  readonly source: SessionSource;
  /**
   * The file with this conversation in it: byte for byte the input when nothing changed, unless it is a log.
   *
   * @param wire the conversation as the file shall hold it; without it, as its format encodes it
   */
  write(conversation: SoundConversation, wire?: unknown): string;
}

/** Where a conversation comes from, and what its log says about it. */
export interface SessionSource {
  /** Id of the reader, e.g. `claude-code`; `generic` for plain messages. */
  readonly reader: string;
  /** Name for people, e.g. `a log of Claude Code`. */
  readonly title: string;
  /** Title, times, models and the like; nearly empty for plain messages. */
  readonly meta: SessionMeta;
  /** One per message of the conversation; an empty record where the log says nothing. */
  readonly records: readonly MessageRecord[];
}

/** The conversation of a log. A message that the format cannot hold is left out with a note, so that one bad message does not cost the others. */
export function documentOfLog(log: SessionLog, reader: SessionReader, name: string): SessionDocument {
  const format = log.format === 'anthropic' ? anthropic : openaiChat;
  const notes: SessionNote[] = [...log.notes];
  const { conversation, notes: mended } = decodeReadable(format, log.messages, notes);
  if (conversation.messages.length === 0)
    throw badFile(name, `expected at least one message with content, got none, though this looks like ${reader.title}`);
  const recordOf = new Map<unknown, MessageRecord>(log.messages.map(({ wire, record }) => [wire, record]));
  return {
    shape: 'log',
    format,
    conversation,
    notes: [...notes, ...mended],
    source: {
      reader: reader.id,
      title: reader.title,
      meta: log.meta,
      records: conversation.messages.map((message) => recordOf.get(message.raw ?? message.base) ?? NO_RECORD),
    },
    write: (edited, wire = format.encode(edited)) => `${JSON.stringify(wire, null, 2)}\n`,
  };
}

const NO_RECORD: MessageRecord = {};

/** Source details for plain messages: no agent, no times, no usage. */
export function genericSource(conversation: Conversation): SessionSource {
  return {
    reader: 'generic',
    title: 'a conversation in JSON',
    meta: { models: [], compactions: 0 },
    records: conversation.messages.map(() => NO_RECORD),
  };
}

function decodeReadable(format: Format, messages: readonly LogMessage[], notes: SessionNote[]): Decoded {
  const left = messages.map(({ wire }) => wire);
  for (;;) {
    try {
      return format.decode(left);
    } catch (error) {
      const message = PrecisError.is(error) ? error.data['message'] : undefined;
      if (!PrecisError.is(error) || typeof message !== 'number' || left[message] === undefined) throw error;
      left.splice(message, 1);
      notes.push({ text: `left out ${error.message}` });
    }
  }
}
