import type { Conversation } from '../conversation/conversation.ts';
import type { FilePart, ImagePart, Message, OpaquePart, Part } from '../conversation/message.ts';
import type { TokenCounter } from './counter.ts';
import { imageTokens } from './image.ts';

/** Role, separators and end-of-message marks around every message. */
export const MESSAGE_OVERHEAD_TOKENS = 4;
/** Type, braces and field names around the id, name and arguments of a tool call or result. */
export const CALL_OVERHEAD_TOKENS = 8;
/** The cost of files and encrypted text, of which only the size is known: about four bytes of text per token. */
const BYTES_PER_TOKEN = 4;

/** Counts the tokens of messages, each message object once in its life. */
export interface Measure {
  /** The counter it is made from. */
  readonly counter: TokenCounter;
  /** Tokens of one message as it is sent, its envelope included. */
  message(message: Message): number;
  /** Tokens of several messages. */
  messages(messages: readonly Message[]): number;
  /** Tokens of the messages that a conversation sends. */
  conversation(conversation: Conversation): number;
  /** Tokens of a message that are images and files. No factor applies to them. */
  media(message: Message): number;
  /** The tokens of a message that are images and files, and those that are reasoning. */
  shares(message: Message): Shares;
  /** Tokens of a bare text. */
  text(text: string): number;
}

/** Tokens of a message that are not words, calls or output. */
export interface Shares {
  readonly media: number;
  readonly reasoning: number;
}

export interface MeasureOptions {
  /** Counts that outlive the measure: by the same counter, and without the factor. */
  readonly counts?: WeakMap<Message, number>;
  /** Messages with a shorter form in the view. They are counted in that form. */
  readonly shown?: ReadonlyMap<Message, Message>;
}

/**
 * A measure with its own memory. Messages are immutable, so a count is kept as long as the message lives, and measuring a
 * conversation again costs only its new messages.
 */
export function createMeasure(counter: TokenCounter, factor = 1, { counts, shown }: MeasureOptions = {}): Measure {
  const memo = counts ?? new WeakMap<Message, number>();
  const message = (value: Message): number => {
    const sent = shown?.get(value) ?? value;
    const known = memo.get(sent);
    const raw = known ?? MESSAGE_OVERHEAD_TOKENS + sent.parts.reduce((sum, part) => sum + partTokens(part, counter), 0);
    if (known === undefined) memo.set(sent, raw);
    if (factor === 1) return raw;
    // Images have a price of their own, whatever the model makes of words.
    const media = mediaTokens(sent.parts);
    return Math.ceil((raw - media) * factor) + media;
  };
  const messages = (values: readonly Message[]): number => {
    let sum = 0;
    for (const value of values) sum += message(value);
    return sum;
  };
  return {
    counter,
    message,
    messages,
    conversation: (conversation) => messages(conversation.messages),
    media: (value) => mediaTokens((shown?.get(value) ?? value).parts),
    shares(value) {
      const sent = shown?.get(value) ?? value;
      const thoughts = sent.parts.filter((part) => part.type === 'reasoning');
      const reasoning = thoughts.reduce((sum, part) => sum + partTokens(part, counter), 0);
      return { media: mediaTokens(sent.parts), reasoning: Math.ceil(reasoning * factor) };
    },
    text: (text) => Math.ceil(counter.count(text) * factor),
  };
}

function mediaTokens(parts: readonly Part[]): number {
  let sum = 0;
  for (const part of parts) {
    if (part.type === 'image') sum += imageCost(part);
    else if (part.type === 'file') sum += fileCost(part);
    else if (part.type === 'opaque') sum += pictureTokens(part);
    else if (part.type === 'tool-result') sum += mediaTokens(part.content);
  }
  return sum;
}

function partTokens(part: Part, counter: TokenCounter): number {
  switch (part.type) {
    case 'text':
      return counter.count(part.text);
    case 'reasoning':
      // A provider reads the encrypted form, of which the words may be a short version.
      return Math.max(counter.count(part.text), byteTokens(part.encrypted));
    case 'image':
      return imageCost(part);
    case 'file':
      return fileCost(part);
    case 'tool-call':
      return (
        counter.count(part.name) + counter.count(part.arguments) + counter.count(part.callId) + CALL_OVERHEAD_TOKENS
      );
    case 'tool-result':
      return part.content.reduce(
        (sum, item) => sum + partTokens(item, counter),
        counter.count(part.callId) + CALL_OVERHEAD_TOKENS,
      );
    case 'opaque':
      return counter.count(part.json) + byteTokens(part.bytes) + pictureTokens(part);
  }
}

function imageCost(part: ImagePart): number {
  return imageTokens(part.width, part.height, part.detail);
}

function pictureTokens({ pictures = [] }: OpaquePart): number {
  return pictures.reduce((sum, { width, height }) => sum + imageTokens(width, height, 'auto'), 0);
}

function fileCost(part: FilePart): number {
  return byteTokens(part.bytes);
}

function byteTokens(bytes: number | undefined): number {
  return Math.ceil((bytes ?? 0) / BYTES_PER_TOKEN);
}
