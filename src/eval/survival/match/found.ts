import type { Haystack } from './haystack.ts';

/** The result of a matcher: the value verbatim, the same in other words, its opposite, or nothing. */
export interface Found {
  readonly outcome: 'verbatim' | 'normalised' | 'contradicted' | 'stale' | 'lost';
  /** The reason when it is not verbatim: the nearest text, or what was found instead. */
  readonly note: string;
}

export interface MatchContext {
  /** The whole session, to decide whether a short form of a path means a single file. */
  readonly source?: Haystack | undefined;
  /** The question. A short bare number counts only near one of its words. */
  readonly question?: string | undefined;
}

/** Looks for one wording of a fact. */
export type Matcher = (value: string, hay: Haystack, context: MatchContext) => Found;

export const VERBATIM: Found = { outcome: 'verbatim', note: '' };

export function normalised(note: string): Found {
  return { outcome: 'normalised', note };
}

export function contradicted(note: string): Found {
  return { outcome: 'contradicted', note };
}

export function lost(note: string): Found {
  return { outcome: 'lost', note };
}

/** Says whether the text states the value, verbatim or in other words. */
export function isFound({ outcome }: Found): boolean {
  return outcome === 'verbatim' || outcome === 'normalised';
}
