import type { Message } from '../../core/conversation/message.ts';
import { keptByServer } from '../../core/conversation/surroundings.ts';
import { floorOf } from '../../core/plan/floor.ts';
import { isHeld } from '../../core/plan/guard.ts';
import { lastBoundOf, openTurnOf } from '../../core/reduce/reasoning.ts';
import type { ContextParts } from '../context-parts.ts';
import type { HoldCause } from './hold-cause.ts';

/** Whether a compaction starts on its own now. */
export type Due =
  | { readonly type: 'no' }
  | { readonly type: 'due' }
  /** The request is above the threshold, but a cut would free too little or has to wait. `cause` is stable while the situation is. */
  | { readonly type: 'held'; readonly cause: HoldCause; readonly reason: string };

/** Before a provider has reported a count, sizes are estimates: a request above this share of the window may be too large already. */
const UNMEASURED_SHARE = 0.9;

export function dueNow(parts: ContextParts): Due {
  const { journal, models, sizes, measure, options, wire } = parts;
  const { window, threshold, rearm } = models.limits();
  const tokens = sizes.request();
  if (tokens <= threshold) return { type: 'no' };
  const { server } = wire.format().surroundings(wire.current().conversation);
  if (server !== null) return { type: 'held', cause: 'server', reason: keptByServer(server) };
  const { guard } = journal.state;
  // Close to the window, a cut is due however little it frees; above it, also when the last one freed too little.
  if (tokens <= window && isHeld(guard, sizes.history()))
    return { type: 'held', cause: 'guard', reason: guard.reason ?? 'it would free too little now' };
  if (mustFit(parts)) return { type: 'due' };
  const view = journal.timeline.view();
  const factor = sizes.factor();
  if (options.openReasoning !== 'strip' && openTurnOf(view) !== null) {
    const behind = measure.messages(view.slice(lastBoundOf(view) + 1)) * factor;
    if (behind < rearm)
      return {
        type: 'held',
        cause: 'turn',
        reason: 'the turn under way holds signed reasoning, so it waits until the turn ends or the window forces it',
      };
  }
  const floor = Math.ceil(sizes.fixed() + factor * floorOf(view, measure, pinnedMessages(parts)));
  if (tokens - floor < rearm)
    return {
      type: 'held',
      cause: 'floor',
      reason: `about ${floor} of ${tokens} tokens must stay, so a cut frees too little`,
    };
  return { type: 'due' };
}

/** True when the request exceeds the window, or may do so because nobody has counted it yet. */
export function mustFit({ models, sizes }: ContextParts): boolean {
  const { window } = models.limits();
  return sizes.request() > window * (sizes.isMeasured() ? 1 : UNMEASURED_SHARE);
}

/** The messages that the host pinned. */
export function pinnedMessages({ journal }: ContextParts): ReadonlySet<Message> {
  const { rows } = journal.timeline;
  return new Set(journal.state.pins.flatMap((row) => rows[row]?.message ?? []));
}
