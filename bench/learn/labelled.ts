import type { Conversation } from '../../src/core/conversation/conversation.ts';

/** A session and the facts that someone who goes on with the work would need, chosen by reading it. */
export interface LabelledSession {
  readonly name: string;
  /** The repository it comes from: sessions of one source are alike, so they are left out together. */
  readonly source: string;
  readonly conversation: Conversation;
  readonly facts: readonly LabelledFact[];
}

/** A fact is kept when all its needles are literally in the view. */
export interface LabelledFact {
  readonly kind: string;
  readonly needles: readonly string[];
}
