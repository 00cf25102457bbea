/**
 * The numbers of worth that are decided, not learned: the formula's own, the weight of facts, and how summary lines compete.
 *
 * The formula, for one passage next to a view that says some terms already:
 *
 *     worth    = weight of its terms that the view does not say yet + statement × novelty
 *     novelty  = repeated + (1 − repeated) × share of its term weight that is new
 *
 * Statements and terms have the worth that was learned (`learned.json`), times the emphasis of critical facts. Only ratios matter.
 */
export interface WeightTable {
  /** Mean weight of a term, where a statement has 1. */
  readonly term: number;
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
  /** Worth of a line that names two things or more, before trust: a good quote is worth a few times the average. */
  readonly worth: number;
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
  term: 1 / 3,
  repeated: { quote: 0.7, summary: 0.6 },
  passageTokens: 8,
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
    worth: 24,
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
