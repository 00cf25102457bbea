import type { Message } from './message.ts';

/** An immutable list of messages in one wire format: what is sent to the model. */
export interface Conversation {
  /** Id of the format it was read from and is written to. */
  readonly format: string;
  /** What is sent, oldest first. */
  readonly messages: readonly Message[];
  /**
   * All that was ever said, in order, when the messages are a view made from it. Absent when nothing has been compacted yet, or when only the
   * messages are left: then an earlier handoff is all there is.
   */
  readonly history?: readonly Message[];
  /** Originals that were trimmed as they came in, with the form they have in the view since. Absent when there are none. */
  readonly shown?: ReadonlyMap<Message, Message>;
  /** The request around the messages (model, tools, …), for the format alone. Never edited. */
  readonly envelope?: unknown;
}

/** All that was said: the history a view was made from, or the messages themselves. */
export function historyOf(conversation: Conversation): readonly Message[] {
  return conversation.history ?? conversation.messages;
}

/** The conversation with more messages at its end. The view and its history grow together. */
export function append(conversation: Conversation, messages: readonly Message[]): Conversation {
  if (messages.length === 0) return conversation;
  return {
    ...conversation,
    messages: [...conversation.messages, ...messages],
    ...(conversation.history === undefined ? {} : { history: [...conversation.history, ...messages] }),
  };
}

/** The conversation with other messages; the very same object when nothing changed. */
export function withMessages(conversation: Conversation, messages: readonly Message[]): Conversation {
  const same =
    messages.length === conversation.messages.length &&
    messages.every((message, index) => message === conversation.messages[index]);
  return same ? conversation : { ...conversation, messages };
}

/** A view of a conversation: other messages, the same history. */
export function withView(conversation: Conversation, messages: readonly Message[]): Conversation {
  return { ...withMessages(conversation, messages), history: historyOf(conversation) };
}
