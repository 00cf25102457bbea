/** A language model that writes on request. It never throws because of a provider's answer: failures are outcomes. */
export interface Model {
  /** `provider/name`, as receipts show it. */
  readonly id: string;
  /** Tokens it accepts, input and output together. */
  readonly contextWindow: number;
  /** Most tokens it writes in one answer; null when unknown. */
  readonly maxOutput: number | null;
  /** US dollars per million tokens; null when unknown. */
  readonly prices: ModelPrices | null;
  /** Writes one answer. Rejects only for bugs: every answer of a provider, a failure included, is an outcome. */
  generate(request: ModelRequest): Promise<ModelOutcome>;
}

/** Prices in US dollars per million tokens. */
export interface ModelPrices {
  /** Reading a token that no cache holds. */
  readonly input: number;
  /** Writing a token. */
  readonly output: number;
}

/** One request to write. */
export interface ModelRequest {
  /** The task of the model. */
  readonly instructions: string;
  /** The material to work on. Transcript content in it is fenced as data. */
  readonly prompt: string;
  /** Stops the request. */
  readonly signal?: AbortSignal;
  /** Called with the characters written so far, so that an idle model is noticed and a person sees progress. */
  readonly onText?: (characters: number) => void;
}

/** An answer, or why there is none. */
export type ModelOutcome =
  | { readonly type: 'text'; readonly text: string; readonly finish: FinishReason; readonly usage: ModelUsage }
  | { readonly type: 'failed'; readonly failure: ModelFailure };

/** Why the model stopped. Only `stop` marks a complete answer. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-call' | 'other';

/** Tokens of one request. */
export interface ModelUsage {
  /** Null when the provider did not say. */
  readonly inputTokens: number | null;
  /** Null when the provider did not say. */
  readonly outputTokens: number | null;
  /** The part of the input that came from a cache; null when the provider did not say. */
  readonly cachedInputTokens: number | null;
}

/** The kind of a failure decides what happens next. */
export type FailureKind =
  | 'auth'
  | 'quota'
  | 'rate-limit'
  | 'overloaded'
  | 'overflow'
  | 'network'
  | 'timeout'
  | 'content-filter'
  | 'malformed'
  | 'aborted'
  | 'unknown';

/** Why a model gave no answer. */
export interface ModelFailure {
  /** Decides whether to wait, try another model or give up. */
  readonly kind: FailureKind;
  /** One sentence, without secrets and without transcript content. */
  readonly message: string;
  /** When the provider says to try again; null when it does not. */
  readonly retryAfterMs: number | null;
  /** The window the provider named in an overflow error; null when it did not. */
  readonly learnedWindow: number | null;
}

/** True when trying again can help: the request was fine, and the obstacle is temporary. */
export function isTransient({ kind }: ModelFailure): boolean {
  return (
    kind === 'rate-limit' || kind === 'overloaded' || kind === 'network' || kind === 'timeout' || kind === 'malformed'
  );
}

/** One or more models that write summaries, tried in order. A single model is a chain of one. */
export interface Summarizer {
  /** The candidates, first choice first. Requests are sized for the smallest window among them. */
  readonly models: readonly Model[];
  /** Returns the first answer that a candidate gives, with every attempt on the way. Never throws because of a provider's answer. */
  generate(request: ModelRequest): Promise<SummarizerAnswer>;
}

/** The result of asking a chain of models. */
export interface SummarizerAnswer {
  /** The answer, or the failure of the last candidate. */
  readonly outcome: ModelOutcome;
  /** Id of the model that answered, or of the last that failed. */
  readonly model: string;
  /** Every call on the way, in order. */
  readonly attempts: readonly ModelCall[];
}

/**
 * The conversation's own model, asked at the end of that conversation: the provider has the prefix in its cache and reads it for a fraction of
 * the price. Only the host can send such a request, because only a request with the same tools, system and messages hits the cache.
 */
export interface AlignedModel {
  /** `provider/name`, as receipts show it. */
  readonly id: string;
  /** Tokens it accepts, input and output together. */
  readonly contextWindow: number;
  /** US dollars per million tokens, reading from the cache and writing. */
  readonly prices: { readonly cachedInput: number; readonly output: number };
  /** Sends the last view again with one more user message, and forbids tools. Never throws because of a provider's answer. */
  generate(request: Omit<ModelRequest, 'instructions'>): Promise<ModelOutcome>;
}

/** Wraps an aligned model as a summariser. The instructions go in front of the prompt. */
export function alignedSummarizer(model: AlignedModel, now: () => number = () => 0): Summarizer {
  const { id, contextWindow } = model;
  const prices = { input: model.prices.cachedInput, output: model.prices.output };
  return singleSummarizer(
    {
      id,
      contextWindow,
      maxOutput: null,
      prices,
      generate: ({ instructions, ...request }) =>
        model.generate({ ...request, prompt: `${instructions}\n\n${request.prompt}` }),
    },
    now,
  );
}

/** One call to a model, without its content. */
export interface ModelCall {
  /** Id of the model. */
  readonly model: string;
  /** `stop` for an answer, else why it ended or failed. */
  readonly outcome: FinishReason | FailureKind;
  /** As the provider counted them; null when it did not say. */
  readonly inputTokens: number | null;
  /** As the provider counted them; null when it did not say. */
  readonly outputTokens: number | null;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** A summariser with a single model, which it asks once. */
export function singleSummarizer(model: Model, now: () => number = () => 0): Summarizer {
  return {
    models: [model],
    async generate(request) {
      const started = now();
      const outcome = await model.generate(request);
      // A host's own model may return anything. It is passed on as it came: whoever asked checks it.
      const usage = outcome?.type === 'text' ? outcome.usage : null;
      const call: ModelCall = {
        model: model.id,
        outcome: outcome?.type === 'text' ? outcome.finish : (outcome?.failure?.kind ?? 'malformed'),
        inputTokens: usage?.inputTokens ?? null,
        outputTokens: usage?.outputTokens ?? null,
        ms: Math.round(now() - started),
      };
      return { outcome, model: model.id, attempts: [call] };
    },
  };
}
