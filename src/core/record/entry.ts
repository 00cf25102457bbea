import type { Voice } from '../language/voice.ts';
import type { Action } from './calls/action.ts';

/** One item of the record, with a heading and passages: the words of a message, a call with its result, a note or a summary line. */
export type Entry = SaidEntry | DidEntry | NotedEntry | SummedEntry;

/** A sentence, an argument or a line of output, as a handoff or a condensed result may quote it. */
export interface Passage {
  readonly voice: Voice;
  readonly text: string;
  /** True when it directly follows the passage before it. */
  readonly joined: boolean;
  /** What a later message says, when the passage states a replaced value or a lifted rule. */
  readonly later?: string;
}

interface EntryBase {
  /** Number of the message in the history, counted from 1; 0 when it is unknown. */
  readonly number: number;
  /** The speaker, the tool and its target, or the note itself; empty for a summary line. */
  readonly heading: string;
  readonly passages: readonly Passage[];
}

/** The words of one speaker in a message. A message in which several speak has an entry for each. */
export interface SaidEntry extends EntryBase {
  readonly type: 'said';
  /** Index of its first passage among all passages said in the message: facts name a passage by it. */
  readonly first: number;
  /** True for the last words before the user speaks again: the answer, not the thinking aloud on the way. */
  readonly closing: boolean;
  /** True when it was read back from an earlier handoff, whose originals are not at hand. */
  readonly carried: boolean;
}

/** One call with its result. */
export interface DidEntry extends EntryBase {
  readonly type: 'did';
  /** Null when an earlier handoff is all that is left of the call. */
  readonly action: Action | null;
  /** True when the result says that the call failed. */
  readonly failed: boolean;
  /** Number of the message in which the same call succeeded after it failed; null while it has not. */
  readonly fixedBy: number | null;
}

/** A file or an open task that the handoff lists. */
export interface NotedEntry extends EntryBase {
  readonly type: 'noted';
  readonly kind: 'file' | 'task';
  /** True for a file that was changed, not only read. */
  readonly changed: boolean;
  /** How often the session touched it. */
  readonly times: number;
}

/** A line that a model wrote. It has one passage. */
export interface SummedEntry extends EntryBase {
  readonly type: 'summed';
  /** The section of the handoff that it is in. */
  readonly section: string;
  /** Factor on the worth of a summary line. */
  readonly factor: number;
}

/** The index of an entry's passage, counted as facts count it: over all that is said in the message. */
export function passageIn(entry: Entry, index: number): number {
  return entry.type === 'said' && index >= 0 ? entry.first + index : index;
}

/** The words of a summary line. */
export function lineOf({ passages }: SummedEntry): string {
  return passages[0]?.text ?? '';
}
