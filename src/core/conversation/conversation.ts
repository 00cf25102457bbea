import { type Message, originalsOf } from './message.ts';

/** An immutable list of messages in one wire format, system messages first. */
export interface Conversation {
  /** Id of the format it was read from and is written to. */
  readonly format: string;
  readonly messages: readonly Message[];
  /** The request around the messages (model, tools, …), for the format alone. Never edited. */
  readonly envelope?: unknown;
}

/** The same conversation with other messages; the very same object when nothing changed. */
export function withMessages(conversation: Conversation, messages: readonly Message[]): Conversation {
  const same =
    messages.length === conversation.messages.length &&
    messages.every((message, index) => message === conversation.messages[index]);
  return same ? conversation : { ...conversation, messages };
}

/** The history a view was made from: every handoff and condensed message replaced by what it stands for. */
export function historyOf(view: Conversation): Conversation {
  return withMessages(view, view.messages.flatMap(originalsOf));
}
