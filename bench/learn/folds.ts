import type { LearnedWorth } from '../../src/core/worth/weigh.ts';
import type { LabelledSession } from './labelled.ts';
import { type SessionTables, tablesOf } from './table.ts';
import { TRAIN, type TrainOptions, train } from './train.ts';

/** A session with its tables. */
export interface TabledSession {
  readonly session: LabelledSession;
  readonly tables: SessionTables;
}

export function tabled(sessions: readonly LabelledSession[]): readonly TabledSession[] {
  return sessions.map((session) => ({ session, tables: tablesOf(session) }));
}

/** The sources, in a fixed order. */
export function sourcesOf(sessions: readonly TabledSession[]): readonly string[] {
  return [...new Set(sessions.map(({ session }) => session.source))].sort();
}

/**
 * For each source, what is learned from all others: no session is ever judged by weights that saw its source.
 *
 * @param seen the most other sources to learn from, for the learning curve
 */
export function leaveOneOut(
  sessions: readonly TabledSession[],
  { options = TRAIN, seen = Number.POSITIVE_INFINITY, onSource = () => {} }: FoldOptions = {},
): ReadonlyMap<string, LearnedWorth> {
  const sources = sourcesOf(sessions);
  const learned = new Map<string, LearnedWorth>();
  for (const [at, left] of sources.entries()) {
    onSource(left);
    // The others in turn, so that a small number of them is not always the same.
    const others = [...sources.slice(at + 1), ...sources.slice(0, at)].slice(0, seen);
    const tables = sessions.filter(({ session }) => others.includes(session.source)).map((one) => one.tables);
    learned.set(left, train(tables, options));
  }
  return learned;
}

export interface FoldOptions {
  readonly options?: TrainOptions;
  readonly seen?: number;
  readonly onSource?: (source: string) => void;
}
