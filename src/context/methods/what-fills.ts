import type { Message } from '../../core/conversation/message.ts';
import type { ContextParts } from '../context-parts.ts';

/** Parts of a request below this share of it are not worth a word. */
const LEAST_SHARE = 0.05;

/** Says what a request consists of, largest first: `the request of 900 tokens holds 600 in tool results and 300 in user messages`. */
export function whatFills({ journal, measure, models, sizes }: ContextParts): string {
  const total = sizes.view();
  const factor = journal.state.calibration[models.activeId()]?.factor ?? 1;
  const lines = new Map<string, number>();
  let inMessages = 0;
  for (const message of journal.timeline.view()) {
    const tokens = measure.message(message) * factor;
    inMessages += tokens;
    lines.set(kindOf(message), (lines.get(kindOf(message)) ?? 0) + tokens);
  }
  lines.set('no message, but in tool definitions or other settings', total - inMessages);
  const parts = [...lines]
    .filter(([, tokens]) => tokens >= total * LEAST_SHARE)
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, tokens]) => `${Math.round(tokens).toLocaleString('en-US')} in ${kind}`);
  return `the request of ${inTokens(total)} holds ${inWords(parts)}`;
}

export function inTokens(tokens: number): string {
  return `${tokens.toLocaleString('en-US')} tokens`;
}

function kindOf({ role, parts }: Message): string {
  return parts.some(({ type }) => type === 'tool-result') ? 'tool results' : `${role} messages`;
}

function inWords(parts: readonly string[]): string {
  if (parts.length === 0) return 'nothing';
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}
