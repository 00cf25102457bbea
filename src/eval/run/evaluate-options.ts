import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { Hash } from '../probes/bank.ts';
import type { DecodedFixture } from '../probes/decode.ts';
import type { RunResult } from '../types.ts';
import type { ArmName } from './arms/arms.ts';
import type { CandidateSettings } from './arms/candidate.ts';
import type { PlainMessages, UserArm } from './arms/user-arm.ts';
import type { AnswerCache, Missing } from './calls/asker.ts';
import type { EvalEvent } from './events.ts';
import type { PlannedFixture } from './plan.ts';
import type { ExamModels } from './run-input.ts';

/** Options of `evaluate`. */
export interface EvaluateOptions {
  /** Fixtures with probes. Fixtures from `planFixture` keep their target and passes; others get the defaults. */
  readonly fixtures: readonly (DecodedFixture | PlannedFixture)[];
  /** Name of the results. @default 'evaluation' */
  readonly label?: string;
  /** Number of repetitions. @default 3 with a model or an arm of your own, 1 without: code alone gives the same result every time */
  readonly runs?: number;
  /** Built-in arms. @default all of `ARMS` */
  readonly arms?: readonly ArmName[];
  /** Compactors of your own, compared with ours. They need the port `plain`. @default none */
  readonly userArms?: readonly UserArm[];
  /** How precis compacts. @default code alone, without a model */
  readonly candidate?: CandidateSettings;
  /** Models that answer and grade. @default none: facts are looked for by code alone */
  readonly exam?: ExamModels | null;
  /** The most to spend on models, in US dollars. Counts what earlier processes of this run have spent. @default no limit */
  readonly maxUsd?: number;
  /** Most calls at a time. The number is halved while a provider complains about the load. @default 8 */
  readonly concurrency?: number;
  /** Ignores cached answers of evaluations with another label. @default false */
  readonly isFresh?: boolean;
  /** Version of precis, for the record. @default 'unknown' */
  readonly precis?: string;
}

/** Ports of `evaluate`. Each has a default, and the defaults keep nothing. */
export interface EvaluatePorts {
  /** Counts tokens. @default the heuristic counter */
  readonly counter?: TokenCounter;
  /** Hashes a text, in hex, 16 digits or more. Pass SHA-256 when answers outlive the process. @default the content hash of core, twice */
  readonly digest?: Hash;
  /** Keeps answers that were paid for. @default in memory */
  readonly cache?: AnswerCache;
  /** Keeps the progress, so that an interrupted evaluation can continue. @default nothing is kept */
  readonly storage?: EvalStorage;
  /** Writes and reads messages for `userArms`. See `plainMessages`. */
  readonly plain?: PlainMessages;
  /** Takes the requests that the cache cannot answer, for a batch API. When it is given, no model is asked and nothing is stored. */
  readonly defer?: (missing: Missing) => void;
  /** Called after every answered question. */
  readonly onProgress?: (progress: EvalProgress) => void;
  /** Ends the evaluation early; finished runs are returned. */
  readonly signal?: AbortSignal;
  /** Milliseconds since some fixed moment. @default `Date.now` */
  readonly now?: () => number;
}

/** How far an evaluation has come. */
export interface EvalProgress {
  /** Questions answered since the last call. */
  readonly answers: number;
  /** US dollars spent so far. */
  readonly usd: number;
}

/** Keeps the progress and results of an evaluation. */
export interface EvalStorage {
  /** Returns all events of earlier processes, as JSON, one per line; empty when there are none. An incomplete last line does no harm. */
  events(): Promise<string>;
  /** Adds an event. */
  append(event: EvalEvent): Promise<void>;
  /** Returns a run that an earlier process saved; null when there is none. */
  run(fixture: string, run: number): Promise<RunResult | null>;
  /** Saves a finished run. */
  save(result: RunResult): Promise<void>;
}

/** The results of an evaluation. */
export interface Evaluation {
  /** The finished runs, one per fixture and repetition. */
  readonly runs: readonly RunResult[];
  /** True when `maxUsd` kept questions from being asked. */
  readonly isCapped: boolean;
  /** True when the signal ended it early. */
  readonly isInterrupted: boolean;
  /** Calls that this process paid for. */
  readonly calls: number;
  /** US dollars spent under this label, including earlier processes. */
  readonly usd: number;
}
