import type { PassageKind } from '../language/classify.ts';
import type { TermSort } from '../language/terms.ts';
import type { Voice } from '../language/voice.ts';

/**
 * Every number that decides which passages are worth their tokens. They were tuned on sessions of coding, operations and service agents, by the
 * facts that survive, so those sessions are their training set. Only ratios matter.
 *
 * The formula, for one passage next to a view that says some terms already:
 *
 *     worth      = weight of its terms that the view does not say yet + statement × novelty
 *     novelty    = repeated + (1 − repeated) × share of its term weight that is new
 *     statement  = statement[voice] × kind[kind] × circumstances × emphasis / (times its shape was printed × distance from both ends)
 *     term       = sort × rarity × reuse × the loudest voice that says it
 *
 * `select-passages.ts` chooses by worth per token, `weigh.ts` computes statements, `statistics.ts` terms, `judge-facts.ts` facts.
 */
export interface WeightTable {
  /** Factor for a term, by who says it. */
  readonly voice: Readonly<Record<Voice, number>>;
  /** Voices whose words count as spoken; the others only print. */
  readonly spoken: ReadonlySet<Voice>;
  /** Worth of a statement as such, by who makes it. */
  readonly statement: Readonly<Record<Voice, number>>;
  /** Factor for what kind of statement it is. */
  readonly kind: Readonly<Record<PassageKind, number>>;
  /** Factor for what sort of term it is. */
  readonly sort: Readonly<Record<TermSort, number>>;
  /** The least rarity: even a term in every entry keeps this share of the weight of one that occurs once. */
  readonly leastRarity: number;
  /** Added factor for each time a spoken voice uses a term again, up to `mostReuses` times. */
  readonly reuse: number;
  readonly mostReuses: number;
  /** Worth of saying that a call was made: it changed something, it ran something, it only looked. */
  readonly heading: { readonly changed: number; readonly ran: number; readonly other: number };
  /** Factor for the last words before the user speaks again. */
  readonly closing: number;
  /** A message with more passages than `typedPassages` was pasted: its lines count less, down to the factor `pasted`. */
  readonly typedPassages: number;
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
  /** A printed line this far from both ends of its output is worth half. */
  readonly crowdedLines: number;
  /** Share of a statement's worth that remains when the view says all its terms already: a quote still tells who said it, a summary line puts it in order. */
  readonly repeated: { readonly quote: number; readonly summary: number };
  /** Tokens that a passage costs on top of its words. Set above the real cost: a few whole statements read better than many scraps. */
  readonly passageTokens: number;
  /** Weight of a fact, by kind and state. */
  readonly fact: FactWeights;
  /** Factors for passages that state critical facts. */
  readonly emphasis: {
    /** Without summary lines: enough to win against anything but each other. */
    readonly critical: number;
    /** With summary lines, which count up to twenty times as much as quotes. */
    readonly criticalWithLines: number;
    /** Enough to win against everything, even for the mere mention of a call. */
    readonly first: number;
  };
  /** How summary lines compete with quotes. */
  readonly line: LineWeights;
  /** A layout must be worth this many times more to win: worth is an estimate, and condensed steps cost an envelope for every message. */
  readonly clearlyBetter: number;
}

/** How much it would hurt to lose a fact. */
export interface FactWeights {
  readonly constraint: number;
  /** By who decided. */
  readonly decision: { readonly user: number; readonly other: number };
  readonly question: number;
  /** Times 1 + log2 of how often the session touched it. */
  readonly file: { readonly changed: number; readonly read: number };
  readonly command: number;
  readonly error: { readonly open: number; readonly resolved: number };
  /** By who said it last, times 1 + log2 of how often it was mentioned. */
  readonly value: { readonly user: number; readonly other: number };
  readonly task: { readonly open: number; readonly resolved: number };
  /** Share that remains when a value was replaced or a constraint lifted. */
  readonly outdated: number;
}

/** How summary lines compete with quotes. */
export interface LineWeights {
  /** Levels of trust, highest first. The next is tried when the one before would cost facts. */
  readonly trust: readonly number[];
  /** Factor for a line that passed every check: one line says what took many. */
  readonly checked: number;
  /** Added factor for a line that is in its source word for word: it is certainly true, and the model confirms that it matters. */
  readonly verified: number;
  /** The highest trust, for lines that are short all together: they cost quotes little, and a short answer chooses with care. */
  readonly mostBrevity: number;
  /** Lines that take this share of the room, or more, are not short. */
  readonly shortShare: number;
  /** Worth of a line without a single name, as a share of one that names two things or more. */
  readonly vague: number;
  /** Share of all fact weight that lines may say in other words. */
  readonly mayReword: number;
  /** Share of all fact weight that lines may displace when they are quotes themselves. */
  readonly mayReplace: number;
}

export const WEIGHTS: WeightTable = {
  voice: {
    user: 3,
    summary: 2.6,
    rules: 0.9,
    report: 1.6,
    assistant: 2.6,
    host: 0.7,
    argument: 1,
    removed: 0.2,
    output: 0.5,
    content: 0.15,
  },
  spoken: new Set<Voice>(['user', 'summary', 'report', 'assistant', 'argument']),
  statement: {
    user: 10,
    summary: 24,
    rules: 1.6,
    report: 1.5,
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
  leastRarity: 0.05,
  reuse: 0.25,
  mostReuses: 6,
  heading: { changed: 1.5, ran: 1.2, other: 0.2 },
  closing: 1.5,
  typedPassages: 12,
  pasted: 0.4,
  prose: 1.5,
  order: 2.8,
  forPeople: 1.6,
  firstError: 4,
  shortOutput: 3,
  crowdedLines: 40,
  repeated: { quote: 0.7, summary: 0.6 },
  passageTokens: 4,
  fact: {
    constraint: 5,
    decision: { user: 4, other: 2 },
    question: 2,
    file: { changed: 2, read: 0.4 },
    command: 1,
    error: { open: 3, resolved: 1 },
    value: { user: 3, other: 1 },
    task: { open: 3, resolved: 0.5 },
    outdated: 1 / 4,
  },
  emphasis: { critical: 4, criticalWithLines: 60, first: 1_000 },
  line: {
    trust: [1, 0.5, 0.2],
    checked: 2,
    verified: 4,
    mostBrevity: 8,
    shortShare: 1 / 3,
    vague: 0.5,
    mayReword: 0.05,
    mayReplace: 0.25,
  },
  clearlyBetter: 1.03,
};
