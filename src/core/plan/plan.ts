import type { Message } from '../conversation/message.ts';
import type { Fact } from '../facts/fact.ts';
import { type HistoryRecord, recordHistory, summariesIn } from '../facts/history-record.ts';
import type { Entry } from '../record/entry.ts';
import { findRedundant, type Redundancy } from '../reduce/dedupe.ts';
import { hasOpenReasoning } from '../reduce/reasoning.ts';
import type { Measure } from '../tokens/measure.ts';
import type { Limits } from '../tokens/window.ts';
import { type Emphasis, FIRST, type Weighed, weigh } from '../worth/weigh.ts';
import { condenseOnly, foldAndCondense, type Layout, layoutFor, type NothingToCompact } from './layout.ts';
import { createSituation, type Situation } from './situation.ts';
import { type ZonedStep, zoneSteps } from './zones.ts';

/** Why nothing was done although something was asked for. */
export type RefusalReason = 'target-too-small' | 'open-reasoning' | 'nothing-to-compact' | 'not-smaller' | 'unsound';

export interface Forecast {
  readonly tokensBefore: number;
  /** Expected size of the view; the real one is measured when the plan is applied and never exceeds the target. */
  readonly tokensAfter: number;
  readonly worth: number;
}

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
  readonly type: 'compact';
  readonly history: readonly Message[];
  /** Messages of the history that stand in the view in a shorter form. */
  readonly shown: ReadonlyMap<Message, Message>;
  readonly record: HistoryRecord;
  readonly weighed: Weighed;
  readonly steps: readonly ZonedStep[];
  readonly redundant: ReadonlyMap<number, Redundancy>;
  readonly situation: Situation;
  /** Lines that a model wrote into the handoff of the view. They are in no original, and in no plan of code alone. */
  readonly summaries: readonly Entry[];
  /** Step of each entry of the record, -1 for notes. */
  readonly stepOfEntry: readonly number[];
  /** Entries of the calls of a message, by its index in the history. */
  readonly callEntries: ReadonlyMap<number, readonly number[]>;
  /** Characters that each result of a trimmed step may keep. */
  readonly trimChars: number;
  readonly layout: Layout;
  readonly target: number;
  /** Headings of a caller's own, in order. */
  readonly template: readonly string[];
  readonly forecast: Forecast;
}

export interface PlanInput {
  /** The view as it is sent now. */
  readonly view: readonly Message[];
  /** All that was said, in order: the view with every handoff and condensed message replaced by its originals. */
  readonly history: readonly Message[];
  readonly measure: Measure;
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

export type Effort = 'condense' | 'fold' | 'fold-all';

/** Decides, and only decides: no model, no clock, the same answer for the same input. */
export function plan(input: PlanInput): Plan {
  const { view, history, measure } = input;
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
  const summaries = summariesIn(view);
  const whole = recordHistory(history);
  const record = { ...whole, entries: whole.entries.filter((entry) => entry.type !== 'summed') };
  const weighed = weigh(
    record.entries,
    emphasisOn(record.ledger.facts, () => CRITICAL),
  );
  const redundant = findRedundant(history);
  const steps = zoneSteps(history, measure, {
    target: limits.foldTarget,
    tailTokens: limits.tailTokens,
    ...(input.pinned === undefined ? {} : { pinned: input.pinned }),
  });
  const situation = createSituation({ history, record, weighed, redundant, steps, limits });
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
    history,
    shown: input.shown ?? new Map(),
    record,
    weighed,
    steps,
    redundant,
    situation,
    summaries,
    stepOfEntry: situation.stepOfEntry,
    callEntries: callEntries(record),
    trimChars: situation.trimChars,
    layout,
    target: layout.limit,
    template: input.template ?? [],
    forecast: { tokensBefore, tokensAfter: layout.tokens, worth: layout.worth },
  };
}

/** The plan with lines of a model beside the quotes: what is quoted is chosen anew, the facts in `first` before everything. */
export function withSummaries(
  plan: CompactPlan,
  summaries: readonly Entry[],
  first: ReadonlySet<Fact> = new Set(),
): CompactPlan {
  const entries = [...plan.record.entries, ...summaries];
  const record = { ...plan.record, entries };
  const weighed = weigh(
    entries,
    emphasisOn(record.ledger.facts, (fact) => (first.has(fact) ? FIRST : CRITICAL_BESIDE_LINES)),
  );
  const situation = createSituation({ ...plan.situation, record, weighed });
  const layout = layoutFor(situation, plan.layout.modes, plan.target);
  return {
    ...plan,
    record,
    weighed,
    situation,
    summaries,
    stepOfEntry: situation.stepOfEntry,
    callEntries: callEntries(record),
    layout,
  };
}

/** Factors for quotes of critical facts: enough to win against anything but each other. Lines of a model count up to twenty times as much as quotes. */
const CRITICAL = 4;
const CRITICAL_BESIDE_LINES = 60;

/** Where the critical facts come from, and how much more those places count. */
function emphasisOn(facts: readonly Fact[], factor: (fact: Fact) => number): Emphasis {
  const places = new Map<number, Map<number, number>>();
  for (const fact of facts) {
    if (!fact.critical) continue;
    const { message, passage } = fact.source;
    const passages = places.get(message) ?? new Map<number, number>();
    places.set(message, passages.set(passage, Math.max(factor(fact), passages.get(passage) ?? 1)));
  }
  return places;
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

function callEntries(record: HistoryRecord): ReadonlyMap<number, readonly number[]> {
  const indexOf = new Map(record.numbers.map((number, index) => [number, index]));
  const found = new Map<number, number[]>();
  for (const [at, entry] of record.entries.entries()) {
    const index = indexOf.get(entry.number);
    if (entry.action === null || entry.carried || index === undefined) continue;
    const entries = found.get(index) ?? [];
    entries.push(at);
    found.set(index, entries);
  }
  return found;
}
