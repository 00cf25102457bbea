import { allText, type Message } from '../conversation/message.ts';
import type { Fact } from '../facts/fact.ts';
import { substanceOf } from '../language/names.ts';
import { singleSpaced } from '../language/spaces.ts';
import { type CompactPlan, withSummaryLines } from '../plan/plan.ts';
import { lineOf, type SummedEntry } from '../record/entry.ts';
import type { Measure } from '../tokens/measure.ts';
import { type FittedView, fitView } from '../view/fit.ts';
import { WEIGHTS } from '../worth/weights.ts';
import { verbatimShares } from './checks/verbatim.ts';

export interface CompeteInput {
  /** A plan that folds, and the view that code alone makes of it. */
  readonly plan: CompactPlan;
  readonly byCode: FittedView;
  readonly measure: Measure;
}

/** The view in which summary lines and quotes share the room. */
export interface Competed {
  readonly plan: CompactPlan;
  readonly fitted: FittedView;
  /** How much the lines counted. */
  readonly trust: number;
}

/** The view with as many summary lines as cost no critical fact; null when even the fewest do. */
export function competeWithQuotes(input: CompeteInput, lines: readonly SummedEntry[]): Competed | null {
  const { layout, situation } = input.plan;
  const { line: table } = WEIGHTS;
  const texts = lines.map(lineOf);
  const verified = verbatimShares(texts, situation.record.entries);
  const share = input.measure.text(texts.join('\n')) / Math.max(1, layout.room);
  const brevity = brevityOf(share);
  const least = survivors(situation.ledger.facts, input.byCode.view.messages);
  // Lines take the place of quotes: of more the more they quote, and when they are short and name things, of about as many as they take room.
  const mayGo =
    table.mayReword +
    table.mayReplace * mean(verified) ** 2 +
    (share * mean(texts.map(substanceOf)) * (brevity - 1)) / (table.mostBrevity - 1);
  for (const trust of brevity > 1 ? [brevity, ...table.trust] : table.trust) {
    const weighed = lines.map((line, at) => ({
      ...line,
      factor: trust * table.checked + Math.min(1, trust) * table.verified * (verified[at] ?? 0) ** 2,
    }));
    const best = viewWith(input, weighed, { least, mayGo });
    if (best !== null) return { ...best, trust };
  }
  return null;
}

/** From 1, for lines that take a third of the room, to the most, for those that take a sixth: smooth, so that one line more changes little. */
function brevityOf(share: number): number {
  const { mostBrevity, shortShare } = WEIGHTS.line;
  return Math.min(mostBrevity, Math.max(1, (shortShare / share) ** 3));
}

/** The view with these lines. Critical facts that they crowd out get one more try, before everything else. */
function viewWith(
  { plan, measure }: CompeteInput,
  lines: readonly SummedEntry[],
  { least, mayGo }: { readonly least: Survivors; readonly mayGo: number },
): Omit<Competed, 'trust'> | null {
  const { facts } = plan.situation.ledger;
  let first: ReadonlySet<Fact> = new Set();
  for (let tries = 0; tries < 2; tries++) {
    const candidate = withSummaryLines(plan, lines, first);
    const fitted = fitView(candidate, measure);
    if (fitted.type !== 'fitted') return null;
    const given = survivors(facts, fitted.view.messages);
    if (!isWorse(given, least, mayGo)) return { plan: candidate, fitted };
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

/** Not one critical fact may go, and of the weight of all facts only a share. */
function isWorse(given: Survivors, least: Survivors, mayGo: number): boolean {
  const gone = [...least.critical].some((fact) => !given.critical.has(fact));
  return gone || given.weight < least.weight * (1 - mayGo);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
