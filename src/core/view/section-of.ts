import { classify } from '../language/classify.ts';
import type { Entry, SaidEntry } from '../record/entry.ts';

/** Numbers of messages that decide where a passage belongs. */
export interface Landmarks {
  /** The first thing the user asked for. */
  readonly task: number;
  /** The newest thing the user said: work that was open before it may be long done. */
  readonly lastUser: number;
}

/**
 * The section an entry belongs to, by what is quoted of it. An entry is never torn apart: words that belong together are read together, so a
 * message goes where all its quotes belong, and into the plain account of what happened when it holds several things.
 */
export function sectionOf(entry: Entry, quoted: readonly number[], landmarks: Landmarks): string {
  switch (entry.type) {
    case 'summed':
      return entry.section;
    case 'noted':
      return entry.kind === 'file' ? 'files' : 'in-progress';
    case 'did':
      if (!entry.failed) return 'done';
      // A failure from before the user's newest message was dealt with somehow, or nobody minded.
      return entry.fixedBy === null && entry.number >= landmarks.lastUser ? 'blocked' : 'errors';
    case 'said':
      return sectionOfWords(entry, quoted, landmarks);
  }
}

function sectionOfWords(entry: SaidEntry, quoted: readonly number[], { task, lastUser }: Landmarks): string {
  const passages = quoted.flatMap((index) => entry.passages[index] ?? []);
  const kinds = passages.map((passage) => classify(passage.text, passage.voice));
  switch (passages[0]?.voice) {
    case 'user':
      return entry.number === task ? 'goal' : kinds.includes('constraint') ? 'constraints' : 'done';
    case 'rules':
      return 'constraints';
    case 'host':
      return kinds.includes('constraint') ? 'constraints' : 'critical';
    default:
      if (kinds.every((kind) => kind === 'decision')) return 'decisions';
      return kinds.every((kind) => kind === 'todo') && entry.number >= lastUser ? 'next' : 'done';
  }
}
