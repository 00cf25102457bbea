/** The words of the evaluation, as types. Everything here is plain data: it is read from JSON and written to it. */

/** All types of probes. */
export const PROBE_TYPES = [
  'recall',
  'artifact',
  'continuation',
  'decision',
  'constraint',
  'supersession',
  'abstention',
  'drift',
] as const;
/** One of `PROBE_TYPES`: the subject of a question. */
export type ProbeType = (typeof PROBE_TYPES)[number];

/** All kinds of expected facts. */
export const FACT_KINDS = [
  'path',
  'identifier',
  'number',
  'hash',
  'url',
  'error',
  'command',
  'constraint',
  'decision',
  'todo',
  'prose',
] as const;
/** How an expected fact is looked for. */
export type ProbeFactKind = (typeof FACT_KINDS)[number];

/** Where a fact stands in a session. Messages count from 0; positions are characters of that message's text. */
export interface Span {
  /** Index of the message. */
  readonly message: number;
  /** The first character. */
  readonly start: number;
  /** The first character after it. */
  readonly end: number;
}

/** Something that a right answer holds. */
export interface ExpectedFact {
  /** The fact, as the session says it. */
  readonly value: string;
  /** How it is looked for. */
  readonly kind: ProbeFactKind;
  /** Other wordings that say the same. */
  readonly aliases: readonly string[];
  /** Earlier values that no longer hold: naming one as current is worse than naming none. */
  readonly stale: readonly string[];
  /** Statements that a right answer must not make, e.g. the option that was turned down. */
  readonly forbidden: readonly string[];
  /** An `okay` fact counts half as much as a `vital` one. */
  readonly weight: 'vital' | 'okay';
  /** Where the session says it; may be empty. */
  readonly spans: readonly Span[];
}

/** A question that somebody who continues the work must be able to answer. */
export interface Probe {
  /** Its name within the bank. */
  readonly id: string;
  /** Its subject. */
  readonly type: ProbeType;
  /** The question, as a model is asked it. */
  readonly question: string;
  /** The facts of a right answer; empty when the session does not hold one. */
  readonly expected: readonly ExpectedFact[];
  /** The compaction after which it is asked, counted from 1; null for after every one. */
  readonly pass: number | null;
}

/** The probes of one fixture. */
export interface ProbeBank {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Its probes, in the order of the file. */
  readonly probes: readonly Probe[];
  /** Hash of all that is scored; another bank is another baseline. */
  readonly digest: string;
  /** The file it was read from; empty for a draft. */
  readonly file: string;
}

/** A session that is compacted again and again, and what is known of it. */
export interface Fixture {
  /** Its name, that of its folder unless its file says otherwise. */
  readonly name: string;
  /** The subject of the session, in a sentence or two; may be empty. */
  readonly description: string;
  /** The model it is compacted for; null when it does not matter. */
  readonly model: string | null;
  /** Window of that model, in tokens; null when it does not matter. */
  readonly contextLength: number | null;
  /** The messages as they are on the wire, in any format that is read. */
  readonly wire: unknown;
  /** Size to compact to, in tokens; null for the default share of the whole. */
  readonly target: number | null;
  /** Notes on scrubbing and cutting, from its header. */
  readonly header: Readonly<Record<string, unknown>>;
  /** Hash of the messages and the target; another fixture is another baseline. */
  readonly digest: string;
  /** The file of its session. */
  readonly file: string;
}

/** Role of an arm: the best possible score, the least, a comparison, or the compactor that is measured. */
export type ArmRole = 'ceiling' | 'floor' | 'control' | 'candidate';

/** The fate of one expected fact in a state, found by code alone. */
export type FactOutcome = 'verbatim' | 'normalised' | 'recoverable' | 'stale' | 'contradicted' | 'lost';

/** One expected fact in one state. */
export interface FactResult {
  /** The fact, as the session says it. */
  readonly value: string;
  /** How it was looked for. */
  readonly kind: ProbeFactKind;
  /** An `okay` fact counts half as much as a `vital` one. */
  readonly weight: 'vital' | 'okay';
  /** Its fate. */
  readonly outcome: FactOutcome;
  /** Why, for everything that is not verbatim: the nearest text, or what was found instead. */
  readonly note: string;
}

/** The worth of a model's answer. `error` is never a score. */
export type AnswerOutcome = 'correct' | 'partial' | 'abstained' | 'stale' | 'confabulated' | 'wrong' | 'error';

/** The dimensions that a judge grades. */
export const DIMENSIONS = [
  'accuracy',
  'context_awareness',
  'artifact_trail',
  'completeness',
  'continuity',
  'instruction_following',
] as const;
/** One of `DIMENSIONS`. */
export type Dimension = (typeof DIMENSIONS)[number];

/** A judge's grades from 0 to 5; null where a dimension does not apply to the probe. */
export type Grades = Readonly<Record<Dimension, number | null>>;

/** An answer and what a judge said of it. */
export interface Judged {
  /** The answer as it was given; empty when there was none. */
  readonly answer: string;
  /** Its worth. */
  readonly outcome: AnswerOutcome;
  /** Null for an error. */
  readonly grades: Grades | null;
  /** A sentence on what is missing or wrong, or on why there are no grades. */
  readonly note: string;
  /** How often the judge had to be asked again because its answer could not be read. */
  readonly retries: number;
}

/** One probe asked of one state. */
export interface Cell {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Name of the arm. */
  readonly arm: string;
  /** Compactions so far; 0 for arms that do not compact. */
  readonly pass: number;
  /** Id of the probe. */
  readonly probe: string;
  /** Type of the probe. */
  readonly type: ProbeType;
  /** The fate of its facts. */
  readonly facts: readonly FactResult[];
  /** Share of the expected facts, by weight, that are verbatim, normalised or recoverable, from 0 to 1; null without expected facts. */
  readonly survival: number | null;
  /** The same without recoverable ones: what the reader sees. */
  readonly visible: number | null;
  /** Null when no model was asked. */
  readonly judged: Judged | null;
}

/** One state that an arm made of a fixture. */
export interface StateResult {
  /** Name of the arm. */
  readonly arm: string;
  /** Role of the arm. */
  readonly role: ArmRole;
  /** Compactions so far; 0 for arms that do not compact. */
  readonly pass: number;
  /** Size of the state, in tokens; what a search brings per question included. */
  readonly tokens: number;
  /** Size of all that was said by then, in tokens. */
  readonly tokensOfSource: number;
  /** Model calls that the compaction made. */
  readonly calls: number;
  /** Their price, in US dollars; null when unknown. */
  readonly usd: number | null;
  /** Time the compaction took, in milliseconds. */
  readonly ms: number;
  /** Why the state cannot be scored: it was refused, is not smaller, or failed; null when it can. */
  readonly invalid: string | null;
}

/** Everything of one run over one fixture: `results/LABEL/FIXTURE-run-N.json`. */
export interface RunResult {
  /** Version of this shape. */
  readonly version: 1;
  /** Name of the results it belongs to. */
  readonly label: string;
  /** Name of the fixture. */
  readonly fixture: string;
  /** Which repetition it is, counted from 1. */
  readonly run: number;
  /** The states that the arms made of the session. */
  readonly states: readonly StateResult[];
  /** Every probe asked of every state. */
  readonly cells: readonly Cell[];
  /** The versions, models and settings it was made with. */
  readonly provenance: Provenance;
}

/** The origin of a run: comparable runs agree on most of it, and a reader wants to know the rest. */
export interface Provenance {
  /** Version of precis. */
  readonly precis: string;
  /** Hash of the messages and the target. */
  readonly fixtureDigest: string;
  /** Hash of the probes. */
  readonly bankDigest: string;
  /** Hash of the exam's and the judge's instructions. */
  readonly rubricDigest: string;
  /** Model that wrote summaries; null for code alone. */
  readonly compressorModel: string | null;
  /** Model that answered; null when none was asked. */
  readonly answerModel: string | null;
  /** Model that graded; null when none was asked. */
  readonly judgeModel: string | null;
  /** Size to compact to, in tokens. */
  readonly target: number;
  /** Compactions in a row. */
  readonly passes: number;
  /** When it began, in ISO form. */
  readonly startedAt: string;
  /** Time it took, in milliseconds. */
  readonly ms: number;
  /** Price of all calls, in US dollars; null when a price is unknown. */
  readonly usd: number | null;
}
