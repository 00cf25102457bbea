import type { Conversation } from './conversation/conversation.ts';
import type { SoundnessIssue } from './conversation/issue.ts';
import type { SoundConversation } from './conversation/sound.ts';
import type { Surroundings } from './conversation/surroundings.ts';

/** Something that decoding mended without guessing, e.g. by dropping an orphaned tool result. */
export interface DecodeNote {
  /** Index in the wire's message list. */
  readonly message: number;
  /** What was mended, for people. */
  readonly text: string;
}

/** A conversation that was read from a wire. */
export interface Decoded {
  /** The messages and the request around them. */
  readonly conversation: Conversation;
  /** What was mended; empty when nothing had to be. */
  readonly notes: readonly DecodeNote[];
}

/**
 * A wire format: how a provider's messages become a conversation and back.
 * Law: `encode(decode(wire))` of an unedited conversation is the wire value itself.
 */
export interface Format {
  /** For instance `openai-chat`: the name in options and stores. */
  readonly id: string;
  /** Name for people, e.g. `OpenAI chat`. */
  readonly title: string;
  /** How sure this format is that the value is its own: 0 (no) to 1. */
  detect(wire: unknown): number;
  /** Throws a `PrecisError` that names the message and the field when the shape is wrong. */
  decode(wire: unknown): Decoded;
  /** The rules of the format that the conversation breaks; empty when it is sound. */
  check(conversation: Conversation): readonly SoundnessIssue[];
  /** Reads the request around the messages: tools, the answer it reserves, and whether a server keeps earlier messages. Never throws. */
  surroundings(conversation: Conversation): Surroundings;
  /** Unedited messages are emitted as the objects they came from. */
  encode(conversation: SoundConversation): unknown;
}
