import { type Message, toolCallsOf, toolResultsOf } from './message.ts';

/** Messages `from` to `to` (exclusive) that must stay together: an assistant message, its calls and all their results. */
export interface Step {
  readonly from: number;
  readonly to: number;
  /** Ids of calls that have no result yet. Only the last step may have any. */
  readonly inFlight: readonly string[];
}

/** Cuts a conversation into steps. A message that is neither a call nor a result is a step of its own. */
export function splitSteps(messages: readonly Message[]): readonly Step[] {
  const steps: Step[] = [];
  let from = 0;
  while (from < messages.length) {
    const open = new Set(
      messages[from] === undefined ? [] : toolCallsOf(messages[from] as Message).map((call) => call.callId),
    );
    let to = from + 1;
    if (open.size > 0) {
      for (; to < messages.length; to++) {
        const message = messages[to] as Message;
        const results = toolResultsOf(message);
        // A tool message without a result, such as a user's approval of a call, stands between a call and its result.
        if (results.length === 0 && message.role !== 'tool') break;
        for (const result of results) open.delete(result.callId);
      }
    }
    steps.push({ from, to, inFlight: [...open] });
    from = to;
  }
  return steps;
}
