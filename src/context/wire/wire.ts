import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Format } from '../../core/format.ts';
import { append } from './append.ts';
import type { Appended, Intake } from './intake.ts';
import { createOutgoing, type OutgoingView } from './outgoing.ts';
import { createSpokenFormat, type SpokenFormatInput } from './spoken-format.ts';
import { absorb, takeWhole } from './take-whole.ts';

/** The wire side of a context: incoming messages become rows, and the view becomes a request. */
export interface Wire {
  format(): Format;
  append(wire: unknown): Promise<Appended>;
  takeWhole(wire: unknown): Promise<Appended>;
  absorb(conversation: Conversation): Promise<Appended>;
  /** The view as it is sent now. */
  current(): OutgoingView;
}

export function createWire(input: SpokenFormatInput): Wire {
  const spoken = createSpokenFormat(input);
  const outgoing = createOutgoing(input.journal.timeline, spoken);
  const intake: Intake = { ...input, spoken, outgoing };
  return {
    format: spoken.current,
    append: (wire) => append(intake, wire),
    takeWhole: (wire) => takeWhole(intake, wire),
    absorb: (conversation) => absorb(intake, conversation),
    current: outgoing.current,
  };
}
