/** A rule of a wire format that a conversation breaks. Data, rendered late. */
export interface SoundnessIssue {
  /** Id of the rule, e.g. `CHAT-1`, `ANT-2`. */
  readonly rule: string;
  /** Index of the message in the conversation, -1 for the conversation as a whole. */
  readonly message: number;
  /** What is wrong, for people. */
  readonly text: string;
}
