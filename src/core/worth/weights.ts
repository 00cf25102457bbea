import type { PassageKind } from '../language/classify.ts';
import type { TermSort } from '../language/terms.ts';
import type { Voice } from '../language/voice.ts';

/**
 * The numbers behind "what is worth its tokens". Settled by trying which facts survive on sessions of coding, operations and service agents, so
 * those sessions are a training set for them. They are relative: only ratios matter.
 */
export interface WeightTable {
  /** Worth of a term, by who says it. */
  readonly voice: Readonly<Record<Voice, number>>;
  /** Worth of a statement as such, by who makes it. */
  readonly statement: Readonly<Record<Voice, number>>;
  /** Factor for what kind of statement it is. */
  readonly kind: Readonly<Record<PassageKind, number>>;
  /** Factor for what sort of term it is. */
  readonly sort: Readonly<Record<TermSort, number>>;
  /** Worth of saying that a call was made: it changed something, it ran something, it only looked. */
  readonly heading: { readonly changed: number; readonly ran: number; readonly other: number };
  /** Added factor for each time a term is used again by someone who speaks. */
  readonly reuse: number;
  /** Factor for the last words before the user speaks again. */
  readonly closing: number;
  /** Least factor for lines of a pasted text. */
  readonly pasted: number;
  /** Factor for sentences in arguments: prompts, documents, commit messages. */
  readonly prose: number;
  /** Factor for orders in arguments. */
  readonly order: number;
  /** Factor for comments and messages in code. */
  readonly forPeople: number;
  /** Added factor for the first error line of an output. */
  readonly firstError: number;
  /** Added factor for an output of one line; less for more lines. */
  readonly shortOutput: number;
  /** What is left of a statement's worth when the view says all its terms already: a quote still tells who said it, a line of a model puts it in order. */
  readonly repeated: { readonly quote: number; readonly summary: number };
  /** Tokens a passage costs beside its words. Above the real cost: a few whole statements read better than many scraps. */
  readonly passageTokens: number;
}

export const WEIGHTS: WeightTable = {
  voice: {
    user: 3,
    summary: 2.6,
    rules: 0.9,
    answer: 1.6,
    assistant: 2.6,
    host: 0.7,
    argument: 1,
    removed: 0.2,
    output: 0.5,
    content: 0.15,
  },
  statement: {
    user: 10,
    summary: 24,
    rules: 1.6,
    answer: 1.5,
    assistant: 4,
    host: 0.8,
    argument: 1.1,
    removed: 0,
    output: 0.6,
    content: 0.1,
  },
  kind: {
    constraint: 2.6,
    decision: 1.6,
    cause: 1.8,
    error: 1.3,
    outcome: 1.8,
    todo: 1.4,
    question: 1.1,
    filler: 0.3,
    plain: 1,
  },
  sort: { name: 1.6, number: 0.3, word: 0.6 },
  heading: { changed: 1.5, ran: 1.2, other: 0.2 },
  reuse: 0.25,
  closing: 1.5,
  pasted: 0.4,
  prose: 1.5,
  order: 2.8,
  forPeople: 1.6,
  firstError: 4,
  shortOutput: 3,
  repeated: { quote: 0.7, summary: 0.6 },
  passageTokens: 4,
};
