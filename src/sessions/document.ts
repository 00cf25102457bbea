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
  /** `log` for the log of an agent, which is never written to: `write` gives plain messages. */
  readonly shape: 'array' | 'object' | 'jsonl' | 'log';
  readonly format: Format;
  readonly conversation: Conversation;
  readonly notes: readonly SessionNote[];
  readonly source: SessionSource;
  /** The document with this conversation in it: byte for byte the input when nothing changed and it is no log. */
  write(conversation: SoundConversation): string;
}

/** Where a conversation comes from, and what its log says about it. */
export interface SessionSource {
  /** Id of the reader, e.g. `claude-code`; `generic` for plain messages. */
  readonly reader: string;
  /** Name for people, e.g. `a log of Claude Code`. */
  readonly title: string;
  readonly meta: SessionMeta;
  /** One for each message of the conversation; empty where the log says nothing. */
  readonly records: readonly MessageRecord[];
}

/** The conversation of a log. What its format cannot hold is left out with a note, so that one bad message does not cost the others. */
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
    write: (edited) => `${JSON.stringify(format.encode(edited), null, 2)}\n`,
  };
}

const NO_RECORD: MessageRecord = {};

/** Source of messages that came without a log around them. */
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
