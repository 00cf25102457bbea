import type { Conversation } from './conversation.ts';
import type { SoundnessIssue } from './issue.ts';

declare const sound: unique symbol;

/** A conversation that obeys every rule of its format. Only `checkSound` makes one, and only one can be encoded. */
export type SoundConversation = Conversation & { readonly [sound]: true };

/** The part of a format that knows its rules. */
export interface SoundnessRules {
  check(conversation: Conversation): readonly SoundnessIssue[];
}

export type SoundnessCheck =
  | { readonly type: 'sound'; readonly conversation: SoundConversation }
  | { readonly type: 'unsound'; readonly issues: readonly SoundnessIssue[] };

export function checkSound(conversation: Conversation, rules: SoundnessRules): SoundnessCheck {
  const issues = rules.check(conversation);
  return issues.length === 0
    ? { type: 'sound', conversation: conversation as SoundConversation }
    : { type: 'unsound', issues };
}
