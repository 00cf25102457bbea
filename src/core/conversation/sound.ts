import type { Conversation } from './conversation.ts';
import type { SoundnessIssue } from './issue.ts';
import type { Surroundings } from './surroundings.ts';

declare const sound: unique symbol;

/** A conversation that obeys every rule of its format. Only `checkSound` makes one, and nothing else can be encoded. */
export type SoundConversation = Conversation & { readonly [sound]: true };

/** The part of a format that knows its rules. */
export interface SoundnessRules {
  check(conversation: Conversation): readonly SoundnessIssue[];
  /** The request around the messages. Without it, the messages are the whole request. */
  surroundings?(conversation: Conversation): Surroundings;
}

/** The conversation with the proof that it is sound, or the rules it breaks. */
export type SoundnessCheck =
  | { readonly type: 'sound'; readonly conversation: SoundConversation }
  | { readonly type: 'unsound'; readonly issues: readonly SoundnessIssue[] };

/** Checks a conversation against the rules of its format. */
export function checkSound(conversation: Conversation, rules: SoundnessRules): SoundnessCheck {
  const issues = rules.check(conversation);
  return issues.length === 0
    ? { type: 'sound', conversation: conversation as SoundConversation }
    : { type: 'unsound', issues };
}

/**
 * Checks a sound conversation that grew at its end. Rules concern neighbouring messages, so only the old last step and the new messages are
 * checked: the cost depends on the new messages alone.
 */
export function extendSound(sound: SoundConversation, grown: Conversation, rules: SoundnessRules): SoundnessCheck {
  const { messages } = grown;
  let from = Math.min(sound.messages.length, messages.length) - 1;
  while (from > 0 && messages[from]?.role === 'tool') from--;
  const user = messages.find((message) => message.role === 'user');
  const opening = user === undefined || from <= 0 ? [] : [user];
  const { envelope: _envelope, ...rest } = grown;
  const issues = rules.check({ ...rest, messages: [...opening, ...messages.slice(Math.max(0, from))] });
  if (issues.length === 0) return { type: 'sound', conversation: grown as SoundConversation };
  // Indexes into this excerpt would mislead: check the whole conversation to report the right ones.
  return checkSound(grown, rules);
}
