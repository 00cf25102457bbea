import type { Conversation } from '../conversation/conversation.ts';
import type { ImagePart, Message, Part } from '../conversation/message.ts';
import type { TokenCounter } from './counter.ts';
import { imageTokens } from './image.ts';

/** Role, separators and end-of-message marks around every message. */
export const MESSAGE_OVERHEAD_TOKENS = 4;
/** Type, braces and field names around the id, name and arguments of a tool call or result. */
export const CALL_OVERHEAD_TOKENS = 8;
/** What a file costs when only its size is known: about four bytes of text a token. */
const BYTES_PER_FILE_TOKEN = 4;

/** Token counts of messages, each message object counted once in its life. */
export interface Measure {
  /** The counter it is made from. */
  readonly counter: TokenCounter;
  /** Tokens of one message as it is sent, its envelope included. */
  message(message: Message): number;
  /** Tokens of several messages. */
  messages(messages: readonly Message[]): number;
  /** Tokens of what a conversation sends. */
  conversation(conversation: Conversation): number;
  /** Tokens of a bare text. */
  text(text: string): number;
}

export interface MeasureOptions {
  /** Counts of the same counter, without a factor, that outlive the measure. */
  readonly counts?: WeakMap<Message, number>;
  /** Messages that stand in the view in a shorter form: they cost what that form costs. */
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
    return Math.ceil(raw * factor);
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
    text: (text) => Math.ceil(counter.count(text) * factor),
  };
}

function partTokens(part: Part, counter: TokenCounter): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return counter.count(part.text);
    case 'image':
      return imageCost(part);
    case 'file':
      return Math.ceil(part.bytes / BYTES_PER_FILE_TOKEN);
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
      return counter.count(part.json);
  }
}

function imageCost(part: ImagePart): number {
  return imageTokens(part.width, part.height, part.detail);
}
