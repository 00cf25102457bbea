import type { ExpectedFact, ProbeFactKind, ProbeType } from '../../types.ts';
import { factOf } from '../bank.ts';
import { spansOf, type Transcript } from '../check/transcript.ts';

/** A possible probe: its question, its expected facts, and how much it is worth. */
export interface ProbeCandidate {
  /** Start of the probe's id: a letter for its kind. */
  readonly prefix: string;
  readonly type: ProbeType;
  readonly question: string;
  readonly expected: readonly ExpectedFact[];
  /** The message the facts come from, counted from 0. */
  readonly message: number;
  /** How much it would hurt not to know the answer. */
  readonly worth: number;
}

export interface FactParts {
  readonly value: string;
  readonly kind: ProbeFactKind;
  readonly stale?: readonly string[];
}

/** Makes a fact with its first place in the session. Returns null when the session does not hold it letter for letter. */
export function placedFact({ value, kind, stale = [] }: FactParts, transcript: Transcript): ExpectedFact | null {
  const [span] = spansOf(value, transcript);
  return span === undefined ? null : { ...factOf({ value, kind, stale }), spans: [span] };
}

/** Finds a word that only one of the texts contains, to name that text: the rarest in the session that is not a number. Null when there is none. */
export function topicOf(text: string, others: readonly string[], transcript: Transcript): string | null {
  const words = [...new Set(text.match(/\p{L}[\p{L}\p{N}_-]{3,}/gu) ?? [])].filter(
    (word) => !COMMON.has(word.toLowerCase()),
  );
  const own = words.filter(
    (word) => !others.some((other) => other !== text && other.toLowerCase().includes(word.toLowerCase())),
  );
  const counted = own.map((word) => ({ word, count: countOf(transcript.whole.lower, word.toLowerCase()) }));
  const [best] = counted.toSorted((one, other) => one.count - other.count || other.word.length - one.word.length);
  return best?.word ?? null;
}

const COMMON: ReadonlySet<string> = new Set(
  "that this with from have will would should could must never always only dont don't does keep make sure want need before after until without instead rather than them they their there then when what which while also into over under more most less least other each every same just like please okay about since fine good nice catch still really right again today then here some such very much been being were your ours mine theirs done doing going gone know think look looks maybe might".split(
    ' ',
  ),
);

function countOf(text: string, word: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < 50; at = text.indexOf(word, at + word.length)) count += 1;
  return count;
}
