import { type Message, resultTextOf } from '../../core/conversation/message.ts';
import { findOriginal, refsIn } from '../../core/conversation/ref.ts';
import type { ExpectedFact, FactResult, Probe } from '../types.ts';
import { isFound } from './match/found.ts';
import { type Haystack, haystackOf } from './match/haystack.ts';
import { matchFact } from './match/match.ts';
import { viewText } from './view-text.ts';

/** Options of `survivalOf`. */
export interface SurvivalOptions {
  /** The whole session, prepared with `haystackOf`, so that a short path counts only when it means one file. @default the view alone */
  readonly source?: Haystack;
  /** Says whether a fact that is not visible can be looked up, e.g. `behindRefs`. @default it cannot */
  readonly recoverable?: (fact: ExpectedFact) => Promise<boolean> | boolean;
}

/** The fate of a probe's facts in a view. */
export interface Survival {
  /** One result per expected fact. */
  readonly facts: readonly FactResult[];
  /** Share of the facts, by weight, that are visible or recoverable; null without facts. */
  readonly survival: number | null;
  /** Share of the facts, by weight, that are visible; null without facts. */
  readonly visible: number | null;
}

/** An `okay` fact counts half. */
const FACT_WEIGHTS: Readonly<Record<ExpectedFact['weight'], number>> = { vital: 1, okay: 0.5 };

/** Looks for the facts of a probe in a view, by code alone. The view is a text, such as the one from `viewText`, or a prepared haystack. */
export async function survivalOf(
  probe: Probe,
  view: string | Haystack,
  { source, recoverable }: SurvivalOptions = {},
): Promise<Survival> {
  const hay = typeof view === 'string' ? haystackOf(view) : view;
  const facts: FactResult[] = [];
  for (const fact of probe.expected) {
    const { value, kind, weight } = fact;
    const found = matchFact(fact, hay, { source, question: probe.question });
    // A fact that the view states wrongly stays wrong: nobody looks up what seems to be there.
    const isBack = found.outcome === 'lost' && (await recoverable?.(fact)) === true;
    facts.push({ value, kind, weight, ...found, ...(isBack ? { outcome: 'recoverable' as const } : {}) });
  }
  return { facts, survival: shareOf(facts, isKeptFact), visible: shareOf(facts, isVisibleFact) };
}

/** Says whether a reader of the view sees the fact. */
export function isVisibleFact({ outcome }: FactResult): boolean {
  return outcome === 'verbatim' || outcome === 'normalised';
}

/** Says whether a reader sees the fact or can look it up. */
export function isKeptFact(fact: FactResult): boolean {
  return isVisibleFact(fact) || fact.outcome === 'recoverable';
}

/** Returns the weighted share of facts; null without facts. */
function shareOf(facts: readonly FactResult[], isThere: (fact: FactResult) => boolean): number | null {
  const sum = (list: readonly FactResult[]): number =>
    list.reduce((total, { weight }) => total + FACT_WEIGHTS[weight], 0);
  const all = sum(facts);
  return all === 0 ? null : sum(facts.filter(isThere)) / all;
}

/**
 * Makes a function for `recoverable`: it says whether a ref in the view leads to a single result or call that holds the fact. The ref of a
 * handoff leads to everything before it, which proves nothing; for that, check the answer of one recall.
 */
export function behindRefs(view: readonly Message[], history: readonly Message[]): (fact: ExpectedFact) => boolean {
  const originals = [...new Set(refsIn(viewText(view)))].flatMap((ref) => {
    const original = findOriginal(history, ref);
    if (original?.type === 'result') return [haystackOf(resultTextOf(original.part))];
    return original?.type === 'call' ? [haystackOf(`${original.part.name} ${original.part.arguments}`)] : [];
  });
  return (fact) => originals.some((original) => isFound(matchFact(fact, original)));
}
