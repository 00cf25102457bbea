import type { Message } from '../../../core/conversation/message.ts';
import { splitSteps } from '../../../core/conversation/steps.ts';
import { lastUserIndex, taskIndex } from '../../../core/conversation/turns.ts';
import { heuristicCounter, type TokenCounter } from '../../../core/tokens/counter.ts';
import { createMeasure } from '../../../core/tokens/measure.ts';

/**
 * The region of a message in an evaluation. Every view of a usual size holds `system`, `task` and `tail`, so facts from there prove nothing.
 * `recent` is what plain truncation to a tenth would keep; `folded` is the rest.
 */
export type Region = 'system' | 'task' | 'folded' | 'recent' | 'tail';

/** A view of a fifth of the session keeps at most a sixth of itself as its tail: see `tailTokens`. */
const TAIL_SHARE = 0.2 / 6;
/** The smaller of the usual targets. */
const RECENT_SHARE = 0.1;

/** Assigns a region to every message. */
export function regionsOf(messages: readonly Message[], counter: TokenCounter = heuristicCounter): readonly Region[] {
  const measure = createMeasure(counter);
  const task = taskIndex(messages);
  const asked = lastUserIndex(messages);
  const all = measure.messages(messages);
  const regions: Region[] = messages.map(() => 'folded');
  let newest = 0;
  for (const [number, { from, to }] of splitSteps(messages).toReversed().entries()) {
    newest += measure.messages(messages.slice(from, to));
    const region: Region =
      number === 0 || newest <= all * TAIL_SHARE ? 'tail' : newest <= all * RECENT_SHARE ? 'recent' : 'folded';
    regions.fill(region, from, to);
  }
  if (asked >= 0) regions[asked] = 'tail';
  if (task >= 0) regions[task] = 'task';
  return messages.map((message, index) => (message.role === 'system' ? 'system' : (regions[index] ?? 'folded')));
}

export function isProtected(region: Region): boolean {
  return region === 'system' || region === 'task' || region === 'tail';
}
