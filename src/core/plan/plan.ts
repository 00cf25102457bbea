import type { Message } from '../conversation/message.ts';
import { splitSteps } from '../conversation/steps.ts';
import type { Fact } from '../facts/fact.ts';
import { type HistoryRecord, recordHistory } from '../facts/history-record.ts';
import type { SummedEntry } from '../record/entry.ts';
import { summaryLinesIn } from '../record/handoff/handoff-message.ts';
import { findRedundant, type Redundancy } from '../reduce/dedupe.ts';
import { lastBoundOf, openTurnOf } from '../reduce/reasoning.ts';
import type { Measure } from '../tokens/measure.ts';
import type { Limits } from '../tokens/window.ts';
import { emphasisFor } from '../worth/emphasis.ts';
import { judgeFacts, type Ledger } from '../worth/judge-facts.ts';
import { emphasize, type LearnedWorth, type Weighed, weigh, withLines } from '../worth/weigh.ts';
import { WEIGHTS } from '../worth/weights.ts';
import {
  condenseOnly,
  foldAndCondense,
  type Layout,
  LOWER_STOP_SHARE,
  layoutFor,
  type NothingToCompact,
  type StepMode,
} from './layout.ts';
import type { Reach } from './reach.ts';
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
  /** Index in the history of each message that the plan works on; null when it works on the history itself. */
  readonly places: readonly number[] | null;
  /** Messages of the history that have a shorter form in the view. */
  readonly shown: ReadonlyMap<Message, Message>;
  /** The view as it is sent now: signed reasoning is bound to it, not to the history. */
  readonly sent: readonly Message[];
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
  /** Window, threshold and targets of the messages: those of `limitsFor()`, minus the fixed part of the request. */
  readonly limits: Limits;
  /** Compact even if the view is below the threshold. */
  readonly force: boolean;
  /**
   * How hard to cut: condense only, if that is enough; condense more; fold the oldest steps; or fold everything that may be folded. The caller takes the next
   * effort when a plan's estimate turned out too low. @default 'least'
   */
  readonly effort?: Effort;
  /** When to fold a turn under way that holds reasoning which an edit would invalidate: if the window forces it, or always. */
  readonly openReasoning: 'refuse' | 'strip';
  /** The caller's own headings, in order. @default none */
  readonly template?: readonly string[];
  /** Messages that stay word for word. @default none */
  readonly pinned?: ReadonlySet<Message>;
  /** Messages of the history that have a shorter form in the view. @default none */
  readonly shown?: ReadonlyMap<Message, Message>;
  /** Learned worth of passages and terms. @default the one that ships */
  readonly learned?: LearnedWorth;
  /** How far the plan may reach. @default 'usual' */
  readonly reach?: Reach;
  /** The history, read before. @default it is read anew */
  readonly read?: () => Reading;
}

/** How hard a plan cuts. */
export type Effort = 'least' | 'condense-more' | 'fold' | 'fold-all';

/** A cut to less than this share leaves little of a condensed conversation but its envelopes. */
const DEEP_CUT = 1 / 3;

/** Decides, and only decides: no model, no clock, the same answer for the same input. */
export function plan(input: PlanInput): Plan {
  const { view, history, measure } = input;
  // A compaction that was asked for goes all the way down to the fold target; one that starts on its own may stop at the condense target.
  const limits = input.force ? { ...input.limits, condenseTarget: input.limits.foldTarget } : input.limits;
  const tokensBefore = measure.messages(view);
  const unchanged: Forecast = { tokensBefore, tokensAfter: tokensBefore, worth: 0 };
  const trigger = input.force ? limits.foldTarget : limits.threshold;
  if (tokensBefore <= trigger)
    return {
      type: 'keep',
      reason: `${tokensBefore + limits.fixed} tokens fit into ${trigger + limits.fixed}`,
      forecast: unchanged,
    };
  const openTurn = openTurnOf(history);
  if (openTurn !== null) {
    const isForced = input.openReasoning === 'strip' || tokensBefore > limits.window;
    if (!isForced) return planBehind(input, limits, unchanged);
    if ((splitSteps(history).at(-1)?.inFlight.length ?? 0) > 0) return openReasoning(unchanged);
  }
  const situation = situationOf(input, limits, openTurn);
  const layout = layoutWith(situation, openTurn === null ? (input.effort ?? 'least') : 'fold-all');
  if (layout.type === 'nothing-to-compact')
    return {
      type: 'refuse',
      reason: 'nothing-to-compact',
      detail: 'every message is protected, so there is nothing to condense or fold',
      forecast: unchanged,
    };
  return compactPlan(input, { situation, layout, places: null, tokensBefore });
}

function compactPlan(
  { view, shown, template }: PlanInput,
  {
    tokensBefore,
    ...planned
  }: Pick<CompactPlan, 'situation' | 'layout' | 'places'> & { readonly tokensBefore: number },
): CompactPlan {
  return {
    type: 'compact',
    ...planned,
    shown: shown ?? new Map(),
    sent: view,
    summaryLines: summaryLinesIn(view),
    template: template ?? [],
    forecast: { tokensBefore, tokensAfter: planned.layout.tokens, worth: planned.layout.worth },
  };
}

/**
 * Condenses the output behind the last bound reasoning, which breaks nothing. The view itself is the history of this plan: everything up to that
 * reasoning stays, byte for byte. Refuses when that would not free enough.
 */
function planBehind(input: PlanInput, limits: Limits, unchanged: Forecast): Plan {
  const { view, history, measure, shown = new Map<Message, Message>() } = input;
  const originals = new Map([...shown].map(([original, form]) => [form, original]));
  const messages = view.map((message) => originals.get(message) ?? message);
  const pinned = new Set([...(input.pinned ?? []), ...messages.slice(0, lastBoundOf(messages) + 1)]);
  const { read: _read, ...rest } = input;
  const situation = situationOf({ ...rest, history: messages, pinned }, limits, null);
  const { steps, condensedTokens, trimmedTokens } = situation;
  const modes = steps.map(({ zone }): StepMode => {
    if (zone === 'newest') return 'trim';
    return zone === 'middle' || zone === 'reducible' || zone === 'tail' ? 'condense' : 'keep';
  });
  const least = steps.reduce((sum, { tokens }, index) => {
    if (modes[index] === 'keep') return sum + tokens;
    return sum + ((modes[index] === 'trim' ? trimmedTokens : condensedTokens)[index] ?? 0);
  }, 0);
  const before = measure.messages(view);
  // A size that the caller asked for holds here too.
  const most = input.force
    ? limits.foldTarget
    : Math.min(limits.threshold, before) - Math.min(limits.rearm, before * LEAST_FREED);
  if (modes.every((mode) => mode === 'keep') || least > most) return openReasoning(unchanged);
  const layout = layoutFor(situation, modes, Math.floor(Math.min(most, Math.max(limits.condenseTarget, least * ROOM))));
  const indexOf = new Map(history.map((message, index) => [message, index]));
  const places = messages.map((message) => indexOf.get(message) ?? 0);
  return compactPlan(input, { situation, layout, places, tokensBefore: unchanged.tokensBefore });
}

/** The least share of the messages that condensing behind reasoning must free. */
const LEAST_FREED = 0.1;
/** Room for quotes above the least size of a view that is only condensed. */
const ROOM = 1.25;

function openReasoning(forecast: Forecast): Plan {
  return {
    type: 'refuse',
    reason: 'open-reasoning',
    detail:
      'the turn under way holds signed reasoning, which any earlier edit would invalidate; it is compacted when the turn has ended, when the window forces it, or when you ask for it',
    forecast,
  };
}

/** A history as a plan reads it. It depends on nothing but the messages, so plans with other limits share it. */
export interface Reading {
  readonly record: HistoryRecord;
  readonly ledger: Ledger;
  readonly weighed: Weighed;
  readonly unstressed: Weighed;
  readonly redundant: ReadonlyMap<number, Redundancy>;
}

/** Reads, judges and weighs a history. */
export function readForPlan(history: readonly Message[], learned?: LearnedWorth): Reading {
  const whole = recordHistory(history);
  const record = { ...whole, entries: whole.entries.filter((entry) => entry.type !== 'summed') };
  const ledger = judgeFacts(record.facts);
  const unstressed = weigh(record.entries, learned);
  const weighed = emphasize(
    unstressed,
    emphasisFor(ledger.facts, () => WEIGHTS.emphasis.critical),
  );
  return { record, ledger, unstressed, weighed, redundant: findRedundant(history) };
}

/** Says which steps of the history may go. */
function situationOf(input: PlanInput, limits: Limits, openTurn: number | null): Situation {
  const { history, measure, pinned, learned, read, reach = 'usual' } = input;
  const reading = read?.() ?? readForPlan(history, learned);
  const steps = zoneSteps(history, measure, {
    target: limits.foldTarget,
    tailTokens: limits.tailTokens,
    reach,
    openTurn,
    ...(pinned === undefined ? {} : { pinned }),
  });
  return createSituation({ history, ...reading, steps, limits, reach });
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
    case 'condense-more':
      return condenseOnly(situation, LOWER_STOP_SHARE) ?? foldAndCondense(situation);
    case 'fold':
      return foldAndCondense(situation);
    case 'fold-all':
      return foldAndCondense(situation, { folds: true });
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
