import type { Message } from '../conversation/message.ts';
import { allText } from '../conversation/message.ts';
import type { Fact } from '../facts/fact.ts';
import { singleSpaced } from '../language/spaces.ts';
import { type CompactPlan, withSummaries } from '../plan/plan.ts';
import type { Entry } from '../record/entry.ts';
import type { Measure } from '../tokens/measure.ts';
import { type Applied, applyPlan } from '../view/fit.ts';
import { substanceOf } from '../worth/weigh.ts';
import { verbatimShares } from './verbatim.ts';

export type AppliedView = Extract<Applied, { readonly type: 'applied' }>;

export interface LinesInput {
  /** A plan that folds, and the view that code alone makes of it. */
  readonly plan: CompactPlan;
  readonly extractive: AppliedView;
  readonly measure: Measure;
}

/** How much the lines of a model count beside quotes; the next is tried when the one before would cost facts. */
const TRUST: readonly number[] = [1, 0.5, 0.2];
/** How much a line that passed every check counts beside a quote: it says in one what took many. */
const CHECKED = 2;
/** How many times as much when the lines together are short: each then costs quotes little, and a short answer is the choice of a few things. */
const MOST_BREVITY = 8;
/** Lines that take this share of the room, or more, are not short. */
const SHORT_SHARE = 1 / 3;
/** How much more when it stands word for word in its source: that it is true is known, and that it matters two agree on. */
const VERIFIED = 4;

export interface Best {
  readonly plan: CompactPlan;
  readonly applied: AppliedView;
  readonly trust: number;
}

/** The view with as much of the model's lines as costs no critical fact; null when even the least does. */
export function bestWith(input: LinesInput, lines: readonly Entry[]): Best | null {
  const texts = lines.map((line) => line.passages[0]?.text ?? '');
  const verified = verbatimShares(texts, input.plan.record.entries);
  const share = input.measure.text(texts.join('\n')) / Math.max(1, input.plan.layout.room);
  const brevity = brevityOf(share);
  const least = survivors(input.plan.record.ledger.facts, input.extractive.view.messages);
  // Lines take the place of quotes: of more the more they quote, and when they are short and name things, of about as many as they take room.
  const mayGo =
    OTHER_FACTS_SHARE +
    REPLACED_SHARE * mean(verified) ** 2 +
    (share * mean(texts.map(substanceOf)) * (brevity - 1)) / (MOST_BREVITY - 1);
  for (const trust of brevity > 1 ? [brevity, ...TRUST] : TRUST) {
    const weighed = lines.map((line, at) => ({
      ...line,
      note: {
        kind: 'decision',
        weight: trust * CHECKED + Math.min(1, trust) * VERIFIED * (verified[at] ?? 0) ** 2,
      } as const,
    }));
    const best = viewWith(input, weighed, { least, mayGo });
    if (best !== null) return { ...best, trust };
  }
  return null;
}

/** From 1, for lines that take a third of the room, to the most, for those that take a sixth: smooth, so that one line more changes little. */
function brevityOf(share: number): number {
  return Math.min(MOST_BREVITY, Math.max(1, (SHORT_SHARE / share) ** 3));
}

/** The view with these lines. Critical facts that they crowd out are asked for once more, before everything else. */
function viewWith(
  { plan, measure }: LinesInput,
  lines: readonly Entry[],
  { least, mayGo }: { readonly least: Survivors; readonly mayGo: number },
): Omit<Best, 'trust'> | null {
  const { facts } = plan.record.ledger;
  let first: ReadonlySet<Fact> = new Set();
  for (let tries = 0; tries < 2; tries++) {
    const candidate = withSummaries(plan, lines, first);
    const applied = applyPlan(candidate, measure);
    if (applied.type !== 'applied') return null;
    const given = survivors(facts, applied.view.messages);
    if (!isWorse(given, least, mayGo)) return { plan: candidate, applied };
    first = new Set([...least.critical].filter((fact) => !given.critical.has(fact)));
    if (first.size === 0) return null;
  }
  return null;
}

interface Survivors {
  readonly critical: ReadonlySet<Fact>;
  readonly weight: number;
}

/** The facts that are literally in the view: the critical ones, and the weight of all. */
function survivors(facts: readonly Fact[], messages: readonly Message[]): Survivors {
  const text = singleSpaced(messages.map(allText).join('\n'));
  const kept = facts.filter((fact) => fact.needles.every((needle) => text.includes(singleSpaced(needle))));
  return {
    critical: new Set(kept.filter((fact) => fact.critical)),
    weight: kept.reduce((sum, fact) => sum + fact.weight, 0),
  };
}

/** Of the weight of all facts a summary may say a little in its own words, and lines that are quotes may take the place of more of it. */
const OTHER_FACTS_SHARE = 0.05;
const REPLACED_SHARE = 0.25;

/** Not one critical fact may go, and of the weight of all facts only a share. */
function isWorse(given: Survivors, least: Survivors, mayGo: number): boolean {
  const gone = [...least.critical].some((fact) => !given.critical.has(fact));
  return gone || given.weight < least.weight * (1 - mayGo);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
