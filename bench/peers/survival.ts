import type { ArmProcess } from './arm-process.ts';
import { countTokens } from './arms/steps.ts';
import type { ChainDone } from './job.ts';
import { partsOf } from './parts.ts';
import { AGES, type Age, type Share, type SurvivalRow, type Teller } from './results.ts';
import { unsoundness } from './sound.ts';
import type { Asked, Manner, Summariser } from './summariser.ts';
import { folded, textOfView } from './text.ts';
import type { Arm, BenchFact, BenchSession } from './types.ts';

/** One arm on one session. */
export interface Case {
  readonly session: BenchSession;
  readonly sessionTokens: number;
  readonly tokens: number;
  readonly target: number;
  readonly lost: readonly BenchFact[];
  /** Of those, what one search with the question does not find either; null when the arm has no search. */
  readonly notFound: readonly BenchFact[] | null;
  readonly asked: Asked;
  readonly chain: ChainDone;
  readonly unsound: string | null;
}

export interface CaseInput {
  readonly arm: Arm;
  readonly process: ArmProcess;
  readonly summariser: Summariser;
  readonly session: BenchSession;
  readonly sessionTokens: number;
  readonly teller: Teller;
  readonly passes: number;
  readonly target: number;
  readonly window: number;
}

/** How often the knob of a peer is turned to come near the size that is compared. */
const TRIES = 7;
/** A view this much above the target counts as having its size. */
const TOLERANCE = 1.02;

/**
 * The arm's view of one session, in the size nearest to the target that its own knob gives. Of several on the way that fit, the one with most facts:
 * more room does not always keep more, and an arm is not to be judged by an unlucky setting.
 */
export async function nearestCase(input: CaseInput): Promise<Case> {
  const { arm, target } = input;
  const first = await caseWith(input, target);
  if (!arm.hasKnob || isNear(first)) return first;
  let best = first;
  // A knob turns the size up, roughly; where it does not, the best that was seen stands.
  let low = first.tokens > target ? 0 : target;
  let high = first.tokens > target ? target : Math.max(input.sessionTokens, target * 2);
  let isFound = false;
  for (let tries = 1; tries < TRIES && !isFound && high - low > 20; tries++) {
    const keep = Math.round((low + high) / 2);
    const found = await caseWith(input, keep);
    if (found.tokens > target * TOLERANCE) high = keep;
    else low = keep;
    isFound = isNear(found);
    best = better(best, found);
  }
  return best;
}

function isNear({ tokens, target }: Case): boolean {
  return tokens <= target * TOLERANCE && tokens >= target * 0.97;
}

/** Within the target the one that keeps more facts, then the larger one; above it the smaller one. */
export function better(one: Case, other: Case): Case {
  const fits = ({ tokens, target }: Case): boolean => tokens <= target * TOLERANCE;
  if (fits(one) !== fits(other)) return fits(one) ? one : other;
  if (!fits(one)) return one.tokens < other.tokens ? one : other;
  if (one.lost.length !== other.lost.length) return one.lost.length < other.lost.length ? one : other;
  return one.tokens < other.tokens ? other : one;
}

async function caseWith(input: CaseInput, keep: number): Promise<Case> {
  const { process, summariser, session, sessionTokens, teller, passes, target, window } = input;
  summariser.act(mannerOf(teller, session));
  const { facts } = session;
  const questions = facts.map(({ question }) => question);
  const chain = await process.chain({ parts: partsOf(session.messages, passes), keep, window, questions });
  const text = textOfView(chain.view);
  const lost = facts.filter((fact) => !isIn(text, fact));
  const found = chain.found?.map(folded) ?? null;
  return {
    session,
    sessionTokens,
    tokens: countTokens(chain.view),
    target,
    lost,
    notFound: found === null ? null : lost.filter((fact) => !isIn(`${text} ${found[facts.indexOf(fact)] ?? ''}`, fact)),
    asked: summariser.asked(),
    chain,
    unsound: unsoundness(chain.view),
  };
}

function isIn(text: string, { needles }: BenchFact): boolean {
  return needles.every((needle) => text.includes(needle));
}

function mannerOf(teller: Teller, { facts }: BenchSession): Manner {
  return teller === 'none' || teller === 'silent' ? { type: 'silent' } : { type: teller, facts };
}

/** How much more room precis is given, step by step, when a peer's view is smaller than what precis must keep. */
const MORE_ROOM = 1.15;
const ROOM_TRIES = 25;

/** precis in the size that a peer's view has, or in the smallest that it can do above it. */
export async function caseOfSize(input: CaseInput, tokens: number): Promise<Case> {
  let size = tokens;
  for (let tries = 0; ; tries++) {
    const found = await caseWith({ ...input, target: size }, size);
    if (found.tokens <= size * TOLERANCE || tries === ROOM_TRIES) return found;
    size = Math.round(size * MORE_ROOM);
  }
}

export function rowOf(
  key: Pick<SurvivalRow, 'arm' | 'teller' | 'passes'>,
  cases: readonly Case[],
  ours: readonly Case[] | null,
): SurvivalRow {
  const sum = (of: (each: Case) => number): number => cases.reduce((total, each) => total + of(each), 0);
  const sessionTokens = sum((each) => each.sessionTokens);
  const allowed = cases.map(({ asked }) => asked.allowed).filter((value) => value !== null);
  const times = (outcome: 'threw' | 'skipped'): number =>
    sum(({ chain }) => chain.outcomes.filter((each) => each === outcome).length);
  return {
    ...key,
    ...shareOf(cases, () => true),
    byKind: byKind(cases),
    byAge: Object.fromEntries(AGES.map((age) => [age, shareOf(cases, (fact) => ageOf(fact) === age)])) as Record<
      Age,
      Share
    >,
    retained: sum(({ tokens }) => tokens) / sessionTokens,
    tooLarge: cases.filter(({ tokens, target }) => tokens > target * 1.2).length,
    shown: sum(({ asked }) => asked.shown) / sessionTokens,
    allowed: allowed.length === 0 ? null : allowed.reduce((total, value) => total + value, 0),
    calls: sum(({ asked }) => asked.calls),
    unsound: cases.flatMap(({ unsound, session }) => (unsound === null ? [] : [`${session.name}: ${unsound}`])),
    threw: times('threw'),
    skipped: times('skipped'),
    withSearch: searchShare(cases),
    behind: ours === null ? [] : behindIn(cases, ours),
    ours:
      ours === null
        ? null
        : {
            ...shareOf(ours, () => true),
            retained: ours.reduce((total, { tokens }) => total + tokens, 0) / sessionTokens,
          },
  };
}

function shareOf(cases: readonly Case[], which: (fact: BenchFact) => boolean): Share {
  const facts = cases.flatMap(({ session }) => session.facts.filter(which)).length;
  return { kept: facts - cases.flatMap(({ lost }) => lost.filter(which)).length, facts };
}

/** In the view or found by one search; null when the arm has none. */
function searchShare(cases: readonly Case[]): Share | null {
  if (cases.some(({ notFound }) => notFound === null)) return null;
  const { facts } = shareOf(cases, () => true);
  return { kept: facts - cases.flatMap(({ notFound }) => notFound ?? []).length, facts };
}

/** Sessions of which the arm keeps more than precis in the same size. */
function behindIn(cases: readonly Case[], ours: readonly Case[]): SurvivalRow['behind'] {
  return cases.flatMap(({ session, tokens, lost }, index) => {
    const more = (ours[index]?.lost.length ?? 0) - lost.length;
    return more > 0 ? [{ session: session.name, tokens, facts: more }] : [];
  });
}

function byKind(cases: readonly Case[]): Readonly<Record<string, Share>> {
  const kinds = [...new Set(cases.flatMap(({ session }) => session.facts.map(({ kind }) => kind)))].sort();
  return Object.fromEntries(kinds.map((kind) => [kind, shareOf(cases, (fact) => fact.kind === kind)]));
}

function ageOf({ position }: BenchFact): Age {
  return position < 1 / 3 ? 'oldest' : position < 2 / 3 ? 'middle' : 'newest';
}
