import type { Conversation } from '../../../core/conversation/conversation.ts';
import { splitSteps } from '../../../core/conversation/steps.ts';

/** Cuts a session between steps into as many parts as passes. Returns where each part ends, in messages. */
export function passEndsOf({ messages }: Conversation, passes: number): readonly number[] {
  const steps = splitSteps(messages);
  const parts = Math.max(1, Math.min(passes, steps.length));
  return Array.from(
    { length: parts },
    (_, at) => steps[Math.floor((steps.length * (at + 1)) / parts) - 1]?.to ?? messages.length,
  );
}
