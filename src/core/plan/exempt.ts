import { type Message, toolCallsOf } from '../conversation/message.ts';
import { describeCall } from '../record/calls/action.ts';

/** Tools whose output carries user words or agent state: condensed last. */
export const CONDENSED_LAST: readonly RegExp[] = [
  /memor(?:y|ies)/i,
  /(?:^|[^a-z])(?:todo|task|plan)(?![a-z]*ation)/i,
  /clarify|^ask|question/i,
  /skill/i,
];

/** Indexes of messages whose calls give output that should stay: never-condense tools, and the newest read of every file. */
export function exemptMessages(
  messages: readonly Message[],
  patterns: readonly RegExp[] = CONDENSED_LAST,
): ReadonlySet<number> {
  const exempt = new Set<number>();
  const latestRead = new Map<string, number>();
  for (const [index, message] of messages.entries())
    for (const call of toolCallsOf(message)) {
      if (patterns.some((pattern) => pattern.test(call.name))) exempt.add(index);
      const action = describeCall(call);
      if (action.verb === 'read') for (const path of action.paths) latestRead.set(path, index);
    }
  for (const index of latestRead.values()) exempt.add(index);
  return exempt;
}
