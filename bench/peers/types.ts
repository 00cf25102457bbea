/** The words of the side-by-side bench, as types. Everything that leaves a worker process is plain data. */

/** A message in the OpenAI chat format: what every arm takes and gives back, whatever it uses inside. */
export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
}

export interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** How a peer knows how much it holds before each request. */
export type Counting = 'exact' | 'estimate' | 'none';

/** A compactor under test: ours, another project's, or a control. */
export interface Arm {
  /** Short and stable: the key in results. */
  readonly id: string;
  /** For tables. */
  readonly title: string;
  /** What was called, with which settings, in plain sentences. The report prints it. */
  readonly how: string;
  /** Folder of the installation in the cache, one of `PACKAGES`; null for what needs none. */
  readonly packages: string | null;
  /** Whether a model writes part of the result. */
  readonly summarises: boolean;
  /** Whether `keep` moves the size of the result. */
  readonly hasKnob: boolean;
  readonly counting: Counting;
  /** Loads the package, once for each process. A peer that cannot run rejects, and the report says why. */
  load(folder: string): Promise<LoadedArm>;
}

export interface LoadedArm {
  /** Exact versions found on disk, e.g. `langchain 1.5.14`. */
  readonly versions: readonly string[];
  /** A conversation of its own, empty. */
  open(settings: Settings): Promise<ArmSession>;
}

export interface Settings {
  /** Tokens of the agent's model. The same for every arm. */
  readonly window: number;
  /**
   * The knob: tokens that the caller wants to keep. An arm maps it to its own setting (a tail, a threshold, a target); the runner searches the
   * value whose result comes nearest to the size that is compared.
   */
  readonly keep: number;
  readonly model: SummariserPlace;
}

/** The scripted summariser: a real server on loopback that speaks as OpenAI's chat completions do, streamed or not. */
export interface SummariserPlace {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly modelId: string;
  /** Tokens it takes; more is answered with the error of a real provider. */
  readonly window: number;
  /** Tokens it writes at most. */
  readonly maxOutput: number;
}

export interface ArmSession {
  /** More of the conversation. The first call brings the system message and the task. Calls and results always come together. */
  append(messages: readonly WireMessage[]): Promise<void>;
  /** What the arm does before every request when there is nothing to cut: count, decide. This is what is timed as the overhead of a turn. */
  prepare(): Promise<void>;
  /**
   * One compaction, as if the threshold were reached. When the peer throws, so does this, and the session stays as the peer leaves it. A peer
   * that decides to do nothing returns 'skipped'.
   */
  compact(): Promise<'compacted' | 'skipped'>;
  /** What one search of the history for a question finds, when the arm has such a thing: an agent could ask for what left the view. */
  readonly search?: (question: string) => Promise<string>;
  /** The messages that the next request would send, the system message included, in the OpenAI chat format. */
  view(): readonly WireMessage[];
}

/** A fact that somebody who goes on with the work needs. It is there when all its needles are literally in the view, white space folded. */
export interface BenchFact {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly needles: readonly string[];
  /** Where it was last said: 0 is the beginning of the session, 1 its end. */
  readonly position: number;
}

export interface BenchSession {
  readonly name: string;
  readonly messages: readonly WireMessage[];
  readonly facts: readonly BenchFact[];
}
