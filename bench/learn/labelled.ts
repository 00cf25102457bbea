import type { Conversation } from '../../src/core/conversation/conversation.ts';
import type { SoundnessRules } from '../../src/core/conversation/sound.ts';

/** A session and the facts that someone who goes on with the work would need, chosen by reading it. */
export interface LabelledSession {
  readonly name: string;
  /** The repository it comes from: sessions of one source are alike, so they are left out together. */
  readonly source: string;
  /** True for the fixtures of this project. */
  readonly shipped: boolean;
  readonly conversation: Conversation;
  readonly format: SoundnessRules;
  readonly facts: readonly LabelledFact[];
}

/** A fact is kept when all its needles are literally in the view. */
export interface LabelledFact {
  readonly kind: string;
  readonly needles: readonly string[];
}
