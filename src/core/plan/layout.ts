import { RECORD_FIRST_TOKENS } from '../tokens/window.ts';
import { marginalWorth, selectPassages } from '../worth/select-passages.ts';
import type { WeighedPassage } from '../worth/weigh.ts';
import { WEIGHTS } from '../worth/weights.ts';
import { claimsOf } from './claims.ts';
import { exemptMessages } from './exempt.ts';
import type { Situation } from './situation.ts';
import { FRAME_TOKENS, SMALLEST_HANDOFF_TOKENS, type Zone } from './zones.ts';

/**
 * What happens to a step: it stays, it loses the middle of its output, it keeps only output worth its tokens, it goes into the handoff, or it
 * becomes a text that retells it.
 */
export type StepMode = 'keep' | 'trim' | 'condense' | 'fold' | 'retell';

export interface Layout {
  readonly type: 'layout';
  readonly modes: readonly StepMode[];
  /** Passages to quote, most worth their tokens first. */
  readonly chosen: readonly number[];
  /** Estimated tokens of each passage and all before it. */
  readonly chosenTokens: readonly number[];
  /** Expected size, and the size it must not exceed. */
  readonly tokens: number;
  readonly limit: number;
  /** Tokens of the limit that remain for quotes and summary lines. */
  readonly room: number;
  /** True in a small view, whose handoff has a shorter frame. */
  readonly brief: boolean;
  readonly worth: number;
}

/** Every step is protected. */
export interface NothingToCompact {
  readonly type: 'nothing-to-compact';
}

/** Condensing alone is clearly enough when all condensed steps need at most this share of the space they have. */
const EASY_SHARE = 0.6;
/** Sizes of condensed steps are estimates: cutting stops a little below the target, and quotes fill the rest. */
const STOP_SHARE = 0.94;
/** Where that estimate turned out too low, cutting goes on to here. */
export const LOWER_STOP_SHARE = 0.84;
/** Chooses more passages than the estimate allows, so that fitting can fill the room exactly. In a small room a share alone is too little. */
const SPARE = 1.6;
const SPARE_TOKENS = 400;
/** Tokens of the frame and the titles of a handoff in a small view. */
const BRIEF_FRAME_TOKENS = 110;
/** Shares of the room to try for condensed steps; the rest goes to the handoff. */
const CONDENSED_SHARES: readonly number[] = [0, 0.3];

/** Condenses old output, oldest first, until the target is reached; null when that is clearly not enough. */
export function condenseOnly(situation: Situation, stop: number = STOP_SHARE): Layout | null {
  const { steps, limits, condensedTokens, trimmedTokens } = situation;
  const total = sum(steps.map((step, index) => (step.zone === 'newest' ? (trimmedTokens[index] ?? 0) : step.tokens)));
  const movable = steps.flatMap((step, index) => (step.zone === 'middle' || step.zone === 'reducible' ? [index] : []));
  const least = total - sum(movable.map((index) => savingOf(situation, index)));
  const fixed = total - sum(movable.map((index) => steps[index]?.tokens ?? 0));
  const room = limits.condenseTarget - fixed;
  if (movable.length === 0 || least - fixed > room * EASY_SHARE) return null;
  const modes: StepMode[] = steps.map(({ zone }) => (zone === 'newest' ? 'trim' : 'keep'));
  let size = total;
  for (const { index, recent } of condenseOrder(situation, movable)) {
    if (size <= limits.foldTarget * stop || (recent && size <= limits.condenseTarget * stop)) break;
    modes[index] = 'condense';
    size -= steps[index] === undefined ? 0 : steps[index].tokens - (condensedTokens[index] ?? 0);
  }
  return layoutFor(situation, modes, limits.condenseTarget);
}

/** In a small view, a handoff of this share leaves room for results that no model has read yet. */
const SMALL_HANDOFF_SHARE = 0.2;

/** The least room that a handoff needs next to the newest step. */
function leastHandoff(target: number): number {
  if (target >= RECORD_FIRST_TOKENS + FRAME_TOKENS) return FRAME_TOKENS + SMALLEST_HANDOFF_TOKENS;
  return BRIEF_FRAME_TOKENS + Math.min(SMALLEST_HANDOFF_TOKENS, target * SMALL_HANDOFF_SHARE);
}

/**
 * Folds the oldest steps into a handoff, and condenses the later ones where that is clearly worth more. The newest step is folded only where
 * trimming it leaves no room for a handoff; if `folds` everything, that is a larger one.
 */
export function foldAndCondense(
  situation: Situation,
  { folds = false }: { readonly folds?: boolean } = {},
): Layout | NothingToCompact {
  const { steps, limits, condensedTokens, trimmedTokens } = situation;
  const movable = steps.flatMap(({ zone }, index) =>
    zone === 'middle' || zone === 'handoff' || zone === 'open' ? [index] : [],
  );
  const newest = steps.findIndex((step) => step.zone === 'newest');
  // Steps before the task go into the handoff, which follows the task: condensed, they would change places with it.
  const lastHead = steps.findLastIndex((step) => step.zone === 'head');
  const fixed = sum(
    steps.map((step, index) =>
      step.zone === 'reducible' && step.words === null
        ? (condensedTokens[index] ?? 0)
        : STAYING.has(step.zone)
          ? (trimmedTokens[index] ?? 0)
          : 0,
    ),
  );
  const isShrinkable = steps.some(({ words, zone }) => words !== null || zone === 'reducible' || zone === 'retold');
  if (movable.length === 0 && newest < 0 && !isShrinkable) return { type: 'nothing-to-compact' };
  const smallest = fixed + FRAME_TOKENS;
  const handoff = folds ? FRAME_TOKENS + SMALLEST_HANDOFF_TOKENS : leastHandoff(limits.foldTarget);
  const trims = fixed + (trimmedTokens[newest] ?? 0) + handoff <= limits.foldTarget;
  const room = limits.foldTarget - smallest - (trims ? (trimmedTokens[newest] ?? 0) : 0);
  const candidates = new Set<number>();
  for (const share of folds ? [0] : CONDENSED_SHARES)
    candidates.add(frontier(movable, condensedTokens, Math.min(room * share, room - SMALLEST_HANDOFF_TOKENS)));
  let best: Layout | null = null;
  for (const from of candidates) {
    const modes = steps.map(({ zone, words, holdsRequest }, index) => {
      if (words !== null) return 'trim';
      const mode = foldMode(zone, index < Math.max(from, lastHead), trims);
      // The newest request stays, whatever became of the results around it.
      return zone === 'newest' && holdsRequest && mode === 'fold' ? 'condense' : mode;
    });
    const layout = layoutFor(situation, modes, limits.foldTarget);
    if (best === null || layout.worth > best.worth * WEIGHTS.clearlyBetter) best = layout;
  }
  return best ?? { type: 'nothing-to-compact' };
}

/** Zones that stay, whole or trimmed. */
const STAYING: ReadonlySet<Zone> = new Set(['head', 'pinned', 'reducible', 'tail', 'retold']);

function foldMode(zone: Zone, old: boolean, trims: boolean): StepMode {
  switch (zone) {
    case 'head':
    case 'pinned':
    case 'tail':
      return 'keep';
    case 'newest':
      return trims ? 'trim' : 'fold';
    case 'handoff':
    case 'open':
      return 'fold';
    case 'reducible':
      return 'condense';
    case 'retold':
      return 'retell';
    case 'middle':
      return old ? 'fold' : 'condense';
  }
}

/** Index of the first step to condense instead of fold, so that condensed steps take at most `room`. */
function frontier(movable: readonly number[], condensedTokens: readonly number[], room: number): number {
  let left = room;
  let from = (movable.at(-1) ?? -1) + 1;
  for (const index of movable.toReversed()) {
    left -= condensedTokens[index] ?? 0;
    if (left < 0) break;
    from = index;
  }
  return from;
}

/** Repeated and superseded output first, then old output, then output that should rather stay, then recent output. */
function condenseOrder(
  situation: Situation,
  movable: readonly number[],
): readonly { readonly index: number; readonly recent: boolean }[] {
  const { steps, redundant, history, limits } = situation;
  const exempt = exemptMessages(history);
  const recent = new Set<number>();
  let left = limits.condensedLastTokens;
  for (const index of movable.toReversed()) {
    left -= steps[index]?.tokens ?? 0;
    if (left < 0) break;
    recent.add(index);
  }
  const rank = (index: number): number => {
    const step = steps[index];
    if (step === undefined) return 3;
    for (let at = step.from; at < step.to; at++) if (redundant.has(at)) return 0;
    if (recent.has(index)) return 3;
    return exempt.has(step.from) ? 2 : 1;
  };
  return movable
    .filter((index) => savingOf(situation, index) > 0)
    .map((index) => ({ index, rank: rank(index) }))
    .sort((left_, right) => left_.rank - right.rank || left_.index - right.index)
    .map((item) => ({ index: item.index, recent: item.rank === 3 }));
}

function savingOf(situation: Situation, index: number): number {
  return (situation.steps[index]?.tokens ?? 0) - (situation.condensedTokens[index] ?? 0);
}

/** Fills the room that the modes leave with the passages most worth their tokens. */
export function layoutFor(situation: Situation, modes: readonly StepMode[], limit: number): Layout {
  const { weighed, steps, stepOfEntry, condensedTokens, trimmedTokens } = situation;
  const folds = modes.includes('fold');
  let size = 0;
  for (const [index, step] of steps.entries()) {
    const mode = modes[index];
    if (mode === 'keep') size += step.tokens;
    else if (mode === 'trim' || mode === 'retell') size += trimmedTokens[index] ?? 0;
    else if (mode === 'condense') size += condensedTokens[index] ?? 0;
  }
  const brief = limit - size < RECORD_FIRST_TOKENS + FRAME_TOKENS;
  if (folds) size += brief ? BRIEF_FRAME_TOKENS : FRAME_TOKENS;
  const room = Math.max(0, limit - size);
  const modeOf = (entry: number): StepMode => {
    const step = stepOfEntry[entry] ?? -1;
    return step < 0 ? 'fold' : (modes[step] ?? 'keep');
  };
  const { covered, worth } = coverKept(situation, modeOf);
  const selection = selectPassages(weighed, {
    budget: room * SPARE + SPARE_TOKENS,
    first: folds ? claimsOf({ weighed, room, isFolded: (entry) => modeOf(entry) === 'fold' }) : [],
    covered,
    allowed: (at) => {
      const passage = weighed.passages[at];
      if (passage === undefined) return false;
      const mode = modeOf(passage.entry);
      if (mode === 'fold') return folds;
      if (hiddenIn(situation, mode, passage)) return true;
      return mode === 'condense' && passage.index >= 0 && weighed.entries[passage.entry]?.type === 'did';
    },
    headingTokens: (entry) => (modeOf(entry) === 'fold' ? (weighed.headings[entry]?.tokens ?? 0) : 0),
  });
  return {
    type: 'layout',
    modes,
    chosen: selection.chosen,
    chosenTokens: selection.tokens,
    tokens: Math.max(size, Math.min(limit, size + (selection.tokens.at(-1) ?? 0))),
    limit,
    room,
    brief,
    worth: worth + selection.worth,
  };
}

/** The terms that kept and condensed steps say anyway, and the worth of saying them. */
function coverKept(
  situation: Situation,
  modeOf: (entry: number) => StepMode,
): { readonly covered: Uint8Array; readonly worth: number } {
  const { weighed } = situation;
  const covered = new Uint8Array(weighed.termWeights.length);
  let worth = 0;
  const cover = (said: Pick<WeighedPassage, 'terms' | 'statement' | 'repeated'>): void => {
    worth += marginalWorth(weighed, said, covered);
    for (const term of said.terms) covered[term] = 1;
  };
  for (const passage of weighed.passages) {
    const mode = modeOf(passage.entry);
    if (mode === 'fold') continue;
    if (passage.index < 0) cover({ terms: weighed.headings[passage.entry]?.terms ?? [], statement: 0, repeated: 1 });
    else if (mode === 'keep' || weighed.entries[passage.entry]?.type === 'said')
      if (!hiddenIn(situation, mode, passage)) cover(passage);
  }
  return { covered, worth };
}

/** True for a passage that a trimmed message leaves out: it may come back if it is worth its tokens. */
function hiddenIn(
  { steps, stepOfEntry, weighed }: Situation,
  mode: StepMode,
  { entry, index }: WeighedPassage,
): boolean {
  const hidden = mode === 'trim' ? steps[stepOfEntry[entry] ?? -1]?.words?.hidden : undefined;
  return hidden?.has(weighed.entries[entry]?.passages[index]?.text ?? '') ?? false;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
