import type { Message } from '../conversation/message.ts';
import type { Fact } from '../facts/fact.ts';
import { recordHistory } from '../facts/history-record.ts';
import type { SummedEntry } from '../record/entry.ts';
import { summaryLinesIn } from '../record/handoff/handoff-message.ts';
import { findRedundant } from '../reduce/dedupe.ts';
import { hasOpenReasoning } from '../reduce/reasoning.ts';
import type { Measure } from '../tokens/measure.ts';
import type { Limits } from '../tokens/window.ts';
import { emphasisFor } from '../worth/emphasis.ts';
import { judgeFacts } from '../worth/judge-facts.ts';
import { weigh } from '../worth/weigh.ts';
import { WEIGHTS } from '../worth/weights.ts';
import { condenseOnly, foldAndCondense, type Layout, layoutFor, type NothingToCompact } from './layout.ts';
import { createSituation, type Situation } from './situation.ts';
import { zoneSteps } from './zones.ts';

/** Why nothing was done although something was asked for. */
export type RefusalReason = 'target-too-small' | 'open-reasoning' | 'nothing-to-compact' | 'not-smaller' | 'unsound';

/** Sizes before and after, in tokens. */
export interface Forecast {
  /** Size of the view now. */
  readonly tokensBefore: number;
  /** Expected size of the view; the real one is measured when the plan is applied and never exceeds the target. */
  readonly tokensAfter: number;
  /** Worth of all that the view would say; comparable within one plan only. */
  readonly worth: number;
}

/** What to do: nothing, nothing although asked (with the reason), or a compaction. */
export type Plan =
  | { readonly type: 'keep'; readonly reason: string; readonly forecast: Forecast }
  | {
      readonly type: 'refuse';
      readonly reason: RefusalReason;
      readonly detail: string;
      readonly forecast: Forecast;
    }
  | CompactPlan;

/** What to do with every step, which passages to quote, and what it is expected to give. */
export interface CompactPlan {
  /** Discriminant. */
  readonly type: 'compact';
  /** Everything the layout was chosen from. */
  readonly situation: Situation;
  /** What happens to each step, and which passages are quoted. Its `limit` is the size that the view must not exceed. */
  readonly layout: Layout;
  /** Messages of the history that stand in the view in a shorter form. */
  readonly shown: ReadonlyMap<Message, Message>;
  /** Lines that a model wrote into the handoff of the view. No original holds them, and no plan of code alone. */
  readonly summaryLines: readonly SummedEntry[];
  /** Headings of a caller's own, in order. */
  readonly template: readonly string[];
  /** Sizes before and, as far as it can be told, after. */
  readonly forecast: Forecast;
}

/** Everything a plan is made from. */
export interface PlanInput {
  /** The view as it is sent now. */
  readonly view: readonly Message[];
  /** All that was said, in order: the view with every handoff and condensed message replaced by its originals. */
  readonly history: readonly Message[];
  /** Counts tokens. */
  readonly measure: Measure;
  /** Window, threshold and targets, from `limitsFor()`. */
  readonly limits: Limits;
  /** Compact although the view is below the threshold. */
  readonly force: boolean;
  /**
   * How hard to cut: condense alone when that is enough, fold the oldest steps, or fold all that may be folded. Each reaches further than the
   * one before; the next is asked for when a plan's estimate turned out too low. @default 'condense'
   */
  readonly effort?: Effort;
  /** What to do when the turn going on holds reasoning that an edit would invalidate. */
  readonly openReasoning: 'refuse' | 'strip';
  /** Headings of a caller's own, in order. @default none */
  readonly template?: readonly string[];
  /** Messages that stay word for word. @default none */
  readonly pinned?: ReadonlySet<Message>;
  /** Messages of the history that stand in the view in a shorter form. @default none */
  readonly shown?: ReadonlyMap<Message, Message>;
}

/** How hard a plan cuts. */
export type Effort = 'condense' | 'fold' | 'fold-all';

/** Decides, and only decides: no model, no clock, the same answer for the same input. */
export function plan(input: PlanInput): Plan {
  const { view, measure } = input;
  // Asked for, a compaction goes all the way down to the target; on its own it stops where it has bought its runway.
  const limits = input.force ? { ...input.limits, condenseTarget: input.limits.foldTarget } : input.limits;
  const tokensBefore = measure.messages(view);
  const unchanged: Forecast = { tokensBefore, tokensAfter: tokensBefore, worth: 0 };
  const trigger = input.force ? limits.foldTarget : limits.threshold;
  if (tokensBefore <= trigger)
    return { type: 'keep', reason: `${tokensBefore} tokens fit into ${trigger}`, forecast: unchanged };
  if (input.openReasoning === 'refuse' && hasOpenReasoning(view))
    return {
      type: 'refuse',
      reason: 'open-reasoning',
      detail:
        'the turn going on holds signed reasoning that any earlier edit would invalidate; compact when the turn has ended, or allow stripping it',
      forecast: unchanged,
    };
  const situation = situationOf(input, limits);
  const layout = layoutWith(situation, input.effort ?? 'condense');
  if (layout.type === 'nothing-to-compact')
    return {
      type: 'refuse',
      reason: 'nothing-to-compact',
      detail: 'every message is protected, so there is nothing to condense or fold',
      forecast: unchanged,
    };
  return {
    type: 'compact',
    situation,
    layout,
    shown: input.shown ?? new Map(),
    summaryLines: summaryLinesIn(view),
    template: input.template ?? [],
    forecast: { tokensBefore, tokensAfter: layout.tokens, worth: layout.worth },
  };
}

/** Reads, judges and weighs the history, and says which steps may go. */
function situationOf({ history, measure, pinned }: PlanInput, limits: Limits): Situation {
  const whole = recordHistory(history);
  const record = { ...whole, entries: whole.entries.filter((entry) => entry.type !== 'summed') };
  const ledger = judgeFacts(record.facts);
  const emphasis = emphasisFor(ledger.facts, () => WEIGHTS.emphasis.critical);
  const steps = zoneSteps(history, measure, {
    target: limits.foldTarget,
    tailTokens: limits.tailTokens,
    ...(pinned === undefined ? {} : { pinned }),
  });
  const weighed = weigh(record.entries, emphasis);
  return createSituation({ history, record, ledger, weighed, redundant: findRedundant(history), steps, limits });
}

/** The plan with summary lines next to the quotes: quotes are chosen anew, the facts in `first` before everything. */
export function withSummaryLines(
  plan: CompactPlan,
  summaryLines: readonly SummedEntry[],
  first: ReadonlySet<Fact> = new Set(),
): CompactPlan {
  const { record, ledger } = plan.situation;
  const entries = [...record.entries, ...summaryLines];
  const { emphasis } = WEIGHTS;
  const weighed = weigh(
    entries,
    emphasisFor(ledger.facts, (fact) => (first.has(fact) ? emphasis.first : emphasis.criticalWithLines)),
  );
  const situation = createSituation({ ...plan.situation, record: { ...record, entries }, weighed });
  const layout = layoutFor(situation, plan.layout.modes, plan.layout.limit);
  return { ...plan, situation, layout, summaryLines };
}

function layoutWith(situation: Situation, effort: Effort): Layout | NothingToCompact {
  switch (effort) {
    case 'condense':
      return condenseOnly(situation) ?? foldAndCondense(situation);
    case 'fold':
      return foldAndCondense(situation);
    case 'fold-all':
      return foldAndCondense(situation, [0]);
  }
}
