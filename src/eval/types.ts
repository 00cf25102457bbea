/** The words of the evaluation, as types. Everything here is plain data: it is read from JSON and written to it. */

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
/** What a probe asks for. */
export type ProbeType = (typeof PROBE_TYPES)[number];

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
export type FactKind = (typeof FACT_KINDS)[number];

/** Where a fact stands in a session. Messages count from 0; positions are characters of that message's text. */
export interface Span {
  readonly message: number;
  readonly start: number;
  readonly end: number;
}

/** Something that a right answer holds. */
export interface ExpectedFact {
  readonly value: string;
  readonly kind: FactKind;
  /** Other wordings that say the same. */
  readonly aliases: readonly string[];
  /** Earlier values that no longer hold: naming one as current is worse than naming none. */
  readonly stale: readonly string[];
  /** What must not be said, e.g. the option that was turned down. */
  readonly forbidden: readonly string[];
  readonly weight: 'vital' | 'okay';
  readonly spans: readonly Span[];
}

export interface Probe {
  readonly id: string;
  readonly type: ProbeType;
  readonly question: string;
  readonly expected: readonly ExpectedFact[];
  /** The compaction after which it is asked, counted from 1; null for after every one. */
  readonly pass: number | null;
}

/** The probes of one fixture. */
export interface ProbeBank {
  readonly fixture: string;
  readonly probes: readonly Probe[];
  /** Hash of all that is scored; another bank is another baseline. */
  readonly digest: string;
  readonly file: string;
}

/** A session that is compacted again and again, and what is known of it. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  /** The model it is compacted for; null when it does not matter. */
  readonly model: string | null;
  readonly contextLength: number | null;
  /** The messages as they are on the wire, in any format that is read. */
  readonly wire: unknown;
  /** Size to compact to, in tokens; null for the default share of the whole. */
  readonly target: number | null;
  /** What scrubbing and cutting did to it, as its header says. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly digest: string;
  readonly file: string;
}

export type ArmRole = 'ceiling' | 'floor' | 'control' | 'candidate';

/** What became of one expected fact in a state, found by code alone. */
export type FactOutcome = 'verbatim' | 'normalised' | 'recoverable' | 'stale' | 'contradicted' | 'lost';

export interface FactResult {
  readonly value: string;
  readonly kind: FactKind;
  readonly weight: 'vital' | 'okay';
  readonly outcome: FactOutcome;
  /** Why, for everything that is not verbatim: the nearest text, or what was found instead. */
  readonly note: string;
}

/** What an answer of a model was worth. `error` is never a score. */
export type AnswerOutcome = 'correct' | 'partial' | 'abstained' | 'stale' | 'confabulated' | 'wrong' | 'error';

export const DIMENSIONS = [
  'accuracy',
  'context_awareness',
  'artifact_trail',
  'completeness',
  'continuity',
  'instruction_following',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** A judge's grades from 0 to 5; null where a dimension does not apply to the probe. */
export type Grades = Readonly<Record<Dimension, number | null>>;

export interface Judged {
  readonly answer: string;
  readonly outcome: AnswerOutcome;
  readonly grades: Grades | null;
  readonly note: string;
  /** How often the judge had to be asked again because its answer could not be read. */
  readonly retries: number;
}

/** One probe asked of one state. */
export interface Cell {
  readonly fixture: string;
  readonly arm: string;
  /** Compactions so far; 0 for arms that do not compact. */
  readonly pass: number;
  readonly probe: string;
  readonly type: ProbeType;
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
  readonly arm: string;
  readonly role: ArmRole;
  readonly pass: number;
  readonly tokens: number;
  readonly tokensOfSource: number;
  /** Model calls and what they cost; null when prices are unknown. */
  readonly calls: number;
  readonly usd: number | null;
  readonly ms: number;
  /** Why the state cannot be scored: it was refused, is not smaller, or failed; null when it can. */
  readonly invalid: string | null;
}

/** Everything of one run over one fixture: `results/LABEL/FIXTURE-run-N.json`. */
export interface RunResult {
  readonly version: 1;
  readonly label: string;
  readonly fixture: string;
  readonly run: number;
  readonly states: readonly StateResult[];
  readonly cells: readonly Cell[];
  readonly provenance: Provenance;
}

/** What two runs must have in common to be compared, and what a reader wants to know. */
export interface Provenance {
  readonly precis: string;
  readonly fixtureDigest: string;
  readonly bankDigest: string;
  readonly rubricDigest: string;
  /** Models in their three roles; null when none was asked. */
  readonly compressorModel: string | null;
  readonly answerModel: string | null;
  readonly judgeModel: string | null;
  readonly target: number;
  readonly passes: number;
  readonly startedAt: string;
  readonly ms: number;
  readonly usd: number | null;
}
