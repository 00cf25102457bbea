import type { Conversation } from '../../../core/conversation/conversation.ts';
import { splitSteps } from '../../../core/conversation/steps.ts';
import type { Format } from '../../../core/format.ts';

/** The messages of a fixture, read. */
export interface EvalSession {
  readonly conversation: Conversation;
  readonly format: Format;
}

/** Where the parts of a session end, in messages: as many parts as passes, cut between steps. */
export function cutsOf({ messages }: Conversation, passes: number): readonly number[] {
  const steps = splitSteps(messages);
  const parts = Math.max(1, Math.min(passes, steps.length));
  return Array.from(
    { length: parts },
    (_, at) => steps[Math.floor((steps.length * (at + 1)) / parts) - 1]?.to ?? messages.length,
  );
}
