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
import { emphasize, type LearnedWorth, weigh, withLines } from '../worth/weigh.ts';
import { WEIGHTS } from '../worth/weights.ts';
import { condenseOnly, foldAndCondense, type Layout, layoutFor, type NothingToCompact } from './layout.ts';
import { createSituation, type Situation } from './situation.ts';
import { zoneSteps } from './zones.ts';

/** Why nothing was done although a compaction was due. */
export type RefusalReason = 'target-too-small' | 'open-reasoning' | 'nothing-to-compact' | 'not-smaller' | 'unsound';

/** The expected result of a plan. Sizes are in tokens. */
export interface Forecast {
  /** Size of the view now. */
  readonly tokensBefore: number;
  /** Expected size of the view. The real size is measured when the view is fitted, and never exceeds the target. */
  readonly tokensAfter: number;
  /** Worth of everything that the view would say; comparable within one plan only. */
  readonly worth: number;
}

/** A decision: keep the view, refuse with a reason, or compact. */
export type Plan =
  | { readonly type: 'keep'; readonly reason: string; readonly forecast: Forecast }
  | {
      readonly type: 'refuse';
      readonly reason: RefusalReason;
      readonly detail: string;
      readonly forecast: Forecast;
    }
  | CompactPlan;

/** What happens to every step, which passages are quoted, and the expected result. */
export interface CompactPlan {
  /** Discriminant. */
  readonly type: 'compact';
  /** Everything the layout was chosen from. */
  readonly situation: Situation;
  /** What happens to each step, and which passages are quoted. Its `limit` is the size that the view must not exceed. */
  readonly layout: Layout;
  /** Messages of the history that have a shorter form in the view. */
  readonly shown: ReadonlyMap<Message, Message>;
  /** Summary lines in the handoff of the view. No original holds them, so a plan by code alone leaves them out. */
  readonly summaryLines: readonly SummedEntry[];
  /** The caller's own headings, in order. */
  readonly template: readonly string[];
  /** The size before, and the expected size after. */
  readonly forecast: Forecast;
}

/** Everything a plan is made from. */
export interface PlanInput {
  /** The view as it is sent now. */
  readonly view: readonly Message[];
  /** Everything that was said, in order: the view with every handoff and condensed message replaced by its originals. */
  readonly history: readonly Message[];
  /** Counts tokens. */
  readonly measure: Measure;
  /** Window, threshold and targets, from `limitsFor()`. */
  readonly limits: Limits;
  /** Compact even if the view is below the threshold. */
  readonly force: boolean;
  /**
   * How hard to cut: condense only, if that is enough; fold the oldest steps; or fold everything that may be folded. The caller takes the next
   * effort when a plan's estimate turned out too low. @default 'least'
   */
  readonly effort?: Effort;
  /** What to do when the current turn holds reasoning that an edit would invalidate. */
  readonly openReasoning: 'refuse' | 'strip';
  /** The caller's own headings, in order. @default none */
  readonly template?: readonly string[];
  /** Messages that stay word for word. @default none */
  readonly pinned?: ReadonlySet<Message>;
  /** Messages of the history that have a shorter form in the view. @default none */
  readonly shown?: ReadonlyMap<Message, Message>;
  /** Learned worth of passages and terms. @default the one that ships */
  readonly learned?: LearnedWorth;
}

/** How hard a plan cuts. */
export type Effort = 'least' | 'fold' | 'fold-all';

/** A cut to less than this share leaves little of a condensed conversation but its envelopes. */
const DEEP_CUT = 1 / 3;

/** Decides, and only decides: no model, no clock, the same answer for the same input. */
export function plan(input: PlanInput): Plan {
  const { view, measure } = input;
  // A compaction that was asked for goes all the way down to the fold target; one that starts on its own may stop at the condense target.
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
  const layout = layoutWith(situation, input.effort ?? 'least');
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
function situationOf({ history, measure, pinned, learned }: PlanInput, limits: Limits): Situation {
  const whole = recordHistory(history);
  const record = { ...whole, entries: whole.entries.filter((entry) => entry.type !== 'summed') };
  const ledger = judgeFacts(record.facts);
  const emphasis = emphasisFor(ledger.facts, () => WEIGHTS.emphasis.critical);
  const steps = zoneSteps(history, measure, {
    target: limits.foldTarget,
    tailTokens: limits.tailTokens,
    ...(pinned === undefined ? {} : { pinned }),
  });
  const unstressed = weigh(record.entries, learned);
  const weighed = emphasize(unstressed, emphasis);
  const redundant = findRedundant(history);
  return createSituation({ history, record, ledger, unstressed, weighed, redundant, steps, limits });
}

/** The plan with summary lines among the quotes. Passages are chosen anew, those that state the facts in `first` before all others. */
export function withSummaryLines(
  plan: CompactPlan,
  summaryLines: readonly SummedEntry[],
  first: ReadonlySet<Fact> = new Set(),
): CompactPlan {
  const { record, ledger } = plan.situation;
  const entries = [...record.entries, ...summaryLines];
  const { emphasis } = WEIGHTS;
  const weighed = emphasize(
    withLines(plan.situation.unstressed, summaryLines),
    emphasisFor(ledger.facts, (fact) => (first.has(fact) ? emphasis.first : emphasis.criticalWithLines)),
  );
  const situation = createSituation({ ...plan.situation, record: { ...record, entries }, weighed });
  const layout = layoutFor(situation, plan.layout.modes, plan.layout.limit);
  return { ...plan, situation, layout, summaryLines };
}

function layoutWith(situation: Situation, effort: Effort): Layout | NothingToCompact {
  switch (effort) {
    case 'least':
      return gentlest(situation);
    case 'fold':
      return foldAndCondense(situation);
    case 'fold-all':
      return foldAndCondense(situation, [0]);
  }
}

/** Condensing leaves the conversation as it is, so it comes first; but a deep cut may be worth far more as a handoff. */
function gentlest(situation: Situation): Layout | NothingToCompact {
  const condensed = condenseOnly(situation);
  const size = situation.steps.reduce((sum, { tokens }) => sum + tokens, 0);
  if (condensed !== null && condensed.limit > size * DEEP_CUT) return condensed;
  const folded = foldAndCondense(situation);
  if (condensed === null) return folded;
  const isBetter = folded.type === 'layout' && folded.worth > condensed.worth * WEIGHTS.clearlyBetter;
  return isBetter ? folded : condensed;
}
