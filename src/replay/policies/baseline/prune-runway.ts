import { toolCallsOf, toolResultsOf } from '../../../core/conversation/message.ts';
import { tokensOf } from '../../cache/block.ts';
import { createClearing, mapAt } from '../../view/edits.ts';
import type { ReplayItem } from '../../view/item.ts';
import { headLength, oldOutputs, tailStart } from '../../view/places.ts';
import type { Policy, PolicySetup, PolicyView } from '../policy.ts';
import { summaryOf, usualTail } from '../summary-policy.ts';

export interface RunwayLimits {
  readonly threshold: number;
  readonly pruneMinimum: number;
  readonly runway: number;
  readonly target: number;
  /** Newest tokens of tool output that are never pruned. */
  readonly protectedTokens: number;
}

/** Derives the limits: the threshold is half of the context, and pruning alone must leave 15 % of that free. */
export function runwayLimits(context: number): RunwayLimits {
  const threshold = Math.floor(context * 0.5);
  const pruneMinimum = Math.max(5_000, Math.floor(context / 20));
  const runway = Math.max(pruneMinimum, Math.floor(threshold * 0.15));
  const protectedTokens =
    context >= 500_000 ? 100_000 : context >= 128_000 ? 40_000 : context >= 64_000 ? 20_000 : 10_000;
  return { threshold, pruneMinimum, runway, target: threshold - runway, protectedTokens };
}

/** Says whether pruning alone leaves enough room until the next compaction. */
export function isAccepted(tokensAfter: number, { target }: RunwayLimits): boolean {
  return tokensAfter <= target;
}

const NEVER_PRUNED: ReadonlySet<string> = new Set(['read_file', 'memory', 'clarify', 'skill_view', 'todo']);

export const pruneRunway: Policy = prunePolicy({
  id: 'prune-runway',
  title: 'prune first, with runway',
  note: 'Above half of the window old tool output is cleared, if that leaves 15 % of runway; else a summary in the same pass.',
  accepts: isAccepted,
});

export const pruneFirst: Policy = prunePolicy({
  id: 'prune-first',
  title: 'prune first, naive',
  note: 'Above half of the window old tool output is cleared, whatever that frees, as long as it gets below; else a summary.',
  accepts: (tokensAfter, { threshold }) => tokensAfter <= threshold,
});

function prunePolicy({
  id,
  title,
  note,
  accepts,
}: Omit<Policy, 'start'> & { readonly accepts: (tokensAfter: number, limits: RunwayLimits) => boolean }): Policy {
  return {
    id,
    title,
    note,
    start: (setup: PolicySetup) => {
      const limits = runwayLimits(setup.window);
      const clear = createClearing(setup);
      return {
        before: (view) => {
          if (view.tokens <= limits.threshold) return null;
          const pruned = mapAt(view.view, prunable(view, limits), clear);
          const after = setup.fixedTokens + tokensOf(pruned);
          if (pruned !== view.view && accepts(after, limits))
            return {
              op: 'prune',
              view: pruned,
              calls: [],
              reason: `${view.tokens} tokens to ${after} by pruning alone`,
            };
          return (
            summaryOf(view, { tail: usualTail, isAligned: false }, `pruning alone leaves ${after} tokens`) ?? {
              rejected: 'neither pruning nor a summary would free enough',
            }
          );
        },
      };
    },
  };
}

/** Finds old output between head and tail, except for tools whose output is worth keeping. */
function prunable({ view, window }: PolicyView, { protectedTokens }: RunwayLimits): ReadonlySet<number> {
  const head = headLength(view, 'task');
  const end = tailStart(view, head, usualTail(window));
  const kept = callsOf(view);
  return new Set(
    oldOutputs(view, head, protectedTokens).filter(
      (at) =>
        at < end &&
        !toolResultsOf((view[at] as ReplayItem).message ?? NO_MESSAGE).some(({ callId }) => kept.has(callId)),
    ),
  );
}

const NO_MESSAGE = { role: 'user', parts: [] } as const;

/** Finds the calls of tools that are never pruned. */
function callsOf(view: readonly ReplayItem[]): ReadonlySet<string> {
  return new Set(
    view.flatMap(({ message }) =>
      message === null
        ? []
        : toolCallsOf(message)
            .filter(({ name }) => NEVER_PRUNED.has(name))
            .map(({ callId }) => callId),
    ),
  );
}
