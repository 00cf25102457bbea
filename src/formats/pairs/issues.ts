import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import { type Message, toolCallsOf, toolResultsOf } from '../../core/conversation/message.ts';

/** Names of a format's rules for calls and results. */
export interface PairRules {
  /** The rule that every call is answered once, directly after its message. */
  readonly answered: string;
  /** The rule that every result has a call in the message before its block. */
  readonly called: string;
}

/**
 * Finds calls and results that do not pair. An answer block is the run of tool messages directly after an assistant message; it may end in one user
 * message that opens with results. Ids are compared only inside the block, because servers reuse them. Calls still unanswered at the end of the
 * conversation are in flight, which is legal.
 */
export function pairIssues(messages: readonly Message[], rules: PairRules): readonly SoundnessIssue[] {
  const issues: SoundnessIssue[] = [];
  let owner = -1;
  let open = new Set<string>();
  const close = (): void => {
    for (const id of open)
      issues.push({
        rule: rules.answered,
        message: owner,
        text: `tool call \`${id}\` has no result directly after it`,
      });
    open = new Set();
  };
  messages.forEach((message, index) => {
    const results = toolResultsOf(message);
    for (const { callId } of results) {
      if (!open.delete(callId))
        issues.push({
          rule: rules.called,
          message: index,
          text: `tool result \`${callId}\` has no open call before it`,
        });
    }
    if (results.length > 0 && !opensWithResults(message, results.length)) {
      issues.push({ rule: rules.answered, message: index, text: 'tool results must stand before other content' });
    }
    if (message.role === 'tool') {
      if (results.length === 0 && !message.parts.some((part) => part.type === 'opaque'))
        issues.push({ rule: rules.called, message: index, text: 'a tool message must hold a result' });
      return;
    }
    close();
    const ids = toolCallsOf(message).map((call) => call.callId);
    if (ids.length > 0 && message.role !== 'assistant') {
      issues.push({ rule: rules.called, message: index, text: `a ${message.role} message cannot call tools` });
      return;
    }
    owner = index;
    open = new Set(ids);
    if (open.size < ids.length)
      issues.push({ rule: rules.answered, message: index, text: 'two tool calls share one id' });
  });
  return issues;
}

function opensWithResults(message: Message, count: number): boolean {
  // The other parts of a tool message, such as the user's approval, are opaque and keep their place.
  if (message.role === 'tool')
    return message.parts.every((part) => part.type === 'tool-result' || part.type === 'opaque');
  return message.role === 'user' && message.parts.slice(0, count).every((part) => part.type === 'tool-result');
}
