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
/** The kind of an expected fact, which decides how code looks for it. */
export type ProbeFactKind = (typeof FACT_KINDS)[number];

/** The place of a fact in a session. Messages count from 0; positions are characters of that message's text. */
export interface Span {
  /** Index of the message. */
  readonly message: number;
  /** The first character. */
  readonly start: number;
  /** The first character after it. */
  readonly end: number;
}

/** A fact that a right answer contains. */
export interface ExpectedFact {
  /** The fact, as the session says it. */
  readonly value: string;
  /** Its kind, which decides how code looks for it. */
  readonly kind: ProbeFactKind;
  /** Other wordings with the same meaning. */
  readonly aliases: readonly string[];
  /** Earlier values that no longer hold. Stating one as current is worse than stating none. */
  readonly stale: readonly string[];
  /** Statements that a right answer must not make, e.g. a rejected option. */
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
  /** The question, as the model gets it. */
  readonly question: string;
  /** The facts of a right answer; empty when the session does not hold one. */
  readonly expected: readonly ExpectedFact[];
  /** The compaction after which it is asked, counted from 1; null to ask after each. */
  readonly pass: number | null;
}

/** The probes of one fixture. */
export interface ProbeBank {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Its probes, in the order of the file. */
  readonly probes: readonly Probe[];
  /** Hash of everything that is scored. Banks with different digests are not comparable. */
  readonly digest: string;
  /** The file it was read from; empty for a draft. */
  readonly file: string;
}

/** A session to compact, with its metadata. */
export interface Fixture {
  /** Its name: the name of its folder, unless its file says otherwise. */
  readonly name: string;
  /** The subject of the session, in a sentence or two; may be empty. */
  readonly description: string;
  /** The model that it is compacted for; null when that does not matter. */
  readonly model: string | null;
  /** Window of that model, in tokens; null when that does not matter. */
  readonly contextLength: number | null;
  /** The messages on the wire, in any format that precis reads. */
  readonly wire: unknown;
  /** Size to compact to, in tokens; null for the default share of the whole. */
  readonly target: number | null;
  /** Notes on scrubbing and cutting, from its header. */
  readonly header: Readonly<Record<string, unknown>>;
  /** Hash of the messages and the target. Fixtures with different digests are not comparable. */
  readonly digest: string;
  /** The file of its session. */
  readonly file: string;
}

/** Role of an arm: the highest score to expect, the lowest, a comparison, or the compactor that is measured. */
export type ArmRole = 'ceiling' | 'floor' | 'control' | 'candidate';

/** The fate of one expected fact in a state, found by code alone. */
export type FactOutcome = 'verbatim' | 'normalised' | 'recoverable' | 'stale' | 'contradicted' | 'lost';

/** One expected fact in one state. */
export interface FactResult {
  /** The fact, as the session says it. */
  readonly value: string;
  /** Its kind, which decided how code looked for it. */
  readonly kind: ProbeFactKind;
  /** An `okay` fact counts half as much as a `vital` one. */
  readonly weight: 'vital' | 'okay';
  /** Its fate in the state. */
  readonly outcome: FactOutcome;
  /** The reason when it is not verbatim: the nearest text, or what was found instead. */
  readonly note: string;
}

/** How good a model's answer is. `error` is never a score. */
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

/** An answer and the judge's verdict on it. */
export interface Judged {
  /** The answer as the model gave it; empty when there was none. */
  readonly answer: string;
  /** How good it is. */
  readonly outcome: AnswerOutcome;
  /** The grades; null for an error. */
  readonly grades: Grades | null;
  /** One sentence: what is missing or wrong, or why there are no grades. */
  readonly note: string;
  /** Number of times the judge was asked again because its answer could not be read. */
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
  /** Share of the expected facts, by weight, that a reader sees: `survival` without recoverable facts. */
  readonly visible: number | null;
  /** The graded answer; null when no model was asked. */
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
  /** Size of the state in tokens, including the search results per question. */
  readonly tokens: number;
  /** Size of everything said by then, in tokens. */
  readonly tokensOfSource: number;
  /** Model calls that the compaction made. */
  readonly calls: number;
  /** Their price, in US dollars; null when unknown. */
  readonly usd: number | null;
  /** Time the compaction took, in milliseconds. */
  readonly ms: number;
  /** Why the state cannot be scored (it was refused, is not smaller, or failed); null when it can. */
  readonly invalid: string | null;
}

/** The result of one run over one fixture: `results/LABEL/FIXTURE-run-N.json`. */
export interface RunResult {
  /** Version of this shape. */
  readonly version: 1;
  /** Name of the results it belongs to. */
  readonly label: string;
  /** Name of the fixture. */
  readonly fixture: string;
  /** Number of the repetition, counted from 1. */
  readonly run: number;
  /** The states that the arms made of the session. */
  readonly states: readonly StateResult[];
  /** Every probe asked of every state. */
  readonly cells: readonly Cell[];
  /** The versions, models and settings it was made with. */
  readonly provenance: Provenance;
}

/** The origin of a run. Comparable runs agree on most of these fields. */
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
