import type { JSONValue, LanguageModel, LanguageModelUsage, FinishReason as SdkFinishReason } from 'ai';
import type { FinishReason, Model, ModelOutcome, ModelPrices, ModelRequest, ModelUsage } from '../core/model.ts';
import { resolveModel } from './catalog/catalog.ts';
import { failureOf, plainFailure } from './failure/failure.ts';

export interface LanguageModelOptions {
  /** What receipts call the model. @default `provider/name` as the model says it */
  readonly id?: string;
  /** Tokens. @default what the catalogue says, else 128,000 */
  readonly contextWindow?: number;
  /** Tokens; null when unknown. @default what the catalogue says */
  readonly maxOutput?: number | null;
  /** US dollars per million tokens. @default what the catalogue says */
  readonly prices?: ModelPrices | null;
  /** Longest silence in milliseconds. Reasoning counts as a sign of life, a ping of the server does not. @default 120_000 */
  readonly idleMs?: number;
  /** Longest time a whole answer may take, in milliseconds. @default 600_000 */
  readonly totalMs?: number;
  /** Settings of the provider, as the AI SDK takes them, e.g. how much to think. */
  readonly providerOptions?: Record<string, Record<string, JSONValue>>;
}

const IDLE_MS = 120_000;
const TOTAL_MS = 600_000;
/** Longer timers of Node end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Any model of the AI SDK as a model of ours. The SDK is loaded with the first request.
 *
 * @example
 * import { anthropic } from '@ai-sdk/anthropic';
 * const model = fromLanguageModel(anthropic('claude-haiku-4-5'));
 */
export function fromLanguageModel(model: LanguageModel, options: LanguageModelOptions = {}): Model {
  return fromLoader(options.id ?? idOf(model), async () => model, options);
}

/** The same for a model whose provider is loaded only when it is asked something. */
export function fromLoader(id: string, load: () => Promise<LanguageModel>, options: LanguageModelOptions = {}): Model {
  const { model: known } = resolveModel(id);
  const maxOutput = options.maxOutput === undefined ? known.maxOutput : options.maxOutput;
  const prices = options.prices === undefined ? known.prices : options.prices;
  return {
    id,
    contextWindow: options.contextWindow ?? known.contextWindow,
    maxOutput,
    prices: prices === null ? null : { input: prices.input, output: prices.output },
    generate: (request) => generate(load, request, { ...options, maxOutput }),
  };
}

function idOf(model: LanguageModel): string {
  // `anthropic.messages` names the provider and the kind of request.
  return typeof model === 'string' ? model : `${model.provider.split('.')[0]}/${model.modelId}`;
}

async function generate(
  load: () => Promise<LanguageModel>,
  request: ModelRequest,
  options: LanguageModelOptions,
): Promise<ModelOutcome> {
  const idleMs = Math.min(options.idleMs ?? IDLE_MS, LONGEST_TIMER);
  const totalMs = Math.min(options.totalMs ?? TOTAL_MS, LONGEST_TIMER);
  const stop = new AbortController();
  const end = (reason: Ended): void => stop.abort(reason);
  const cancel = (): void => end('aborted');
  const total = setTimeout(end, totalMs, 'total');
  const idle = setTimeout(end, idleMs, 'idle');
  request.signal?.addEventListener('abort', cancel, { once: true });
  if (request.signal?.aborted === true) cancel();
  try {
    const written = write(load, request, { signal: stop.signal, alive: () => idle.refresh(), options });
    // A model that ignores its signal must not keep anyone waiting.
    return await Promise.race([written, whenAborted(stop.signal)]);
  } catch (error) {
    if (!stop.signal.aborted) return { type: 'failed', failure: failureOf(error) };
    return { type: 'failed', failure: endedFailure(stop.signal.reason as Ended, { idleMs, totalMs }) };
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
    request.signal?.removeEventListener('abort', cancel);
    // A stream that nobody reads any more would hold its connection.
    stop.abort('done');
  }
}

/** Who ended a request before the model did. */
type Ended = 'aborted' | 'idle' | 'total';

function endedFailure(
  ended: Ended,
  limits: { readonly idleMs: number; readonly totalMs: number },
): ReturnType<typeof plainFailure> {
  switch (ended) {
    case 'aborted':
      return plainFailure('aborted', 'The request was cancelled.');
    case 'idle':
      return plainFailure('timeout', `The model wrote nothing for ${secondsOf(limits.idleMs)}.`);
    case 'total':
      return plainFailure('timeout', `The model was not done after ${secondsOf(limits.totalMs)}.`);
  }
}

function secondsOf(ms: number): string {
  return `${(ms / 1000).toLocaleString('en-US')} s`;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  // Whoever won the race: nobody may be left with a rejection.
  promise.catch(() => {});
  return promise;
}

interface Writing {
  readonly signal: AbortSignal;
  /** Called when the model gave a sign of life. */
  readonly alive: () => void;
  readonly options: LanguageModelOptions;
}

async function write(
  load: () => Promise<LanguageModel>,
  { instructions, prompt, onText }: ModelRequest,
  { signal, alive, options }: Writing,
): Promise<ModelOutcome> {
  const [{ streamText }, model] = await Promise.all([import('ai'), load()]);
  const result = streamText({
    model,
    instructions,
    prompt,
    abortSignal: signal,
    // Trying again is the chain's part, which knows the other candidates and the time that is left.
    maxRetries: 0,
    streamRetries: 0,
    // Errors arrive in the stream; by default the SDK prints them besides, with the request in them.
    onError: () => {},
    ...(options.providerOptions === undefined ? {} : { providerOptions: options.providerOptions }),
    ...outputLimit(model, options.maxOutput ?? null),
  });
  let text = '';
  for await (const part of result.stream) {
    if (part.type !== 'ping' && part.type !== 'start' && part.type !== 'start-step') alive();
    switch (part.type) {
      case 'text-delta':
        text += part.text;
        onText?.(text.length);
        break;
      case 'error':
        throw part.error;
      case 'abort':
        throw new DOMException('The request was cancelled.', 'AbortError');
      case 'finish':
        // A reason that the provider never gave: the connection closed in the middle of the answer.
        if (part.finishReason === 'interrupted') return BROKEN_OFF;
        if (part.finishReason === 'other' && part.rawFinishReason === undefined) return BROKEN_OFF;
        return { type: 'text', text, finish: finishOf(part.finishReason), usage: usageOf(part.totalUsage) };
    }
  }
  return BROKEN_OFF;
}

const BROKEN_OFF: ModelOutcome = {
  type: 'failed',
  failure: plainFailure('malformed', 'The answer ended before the model said that it was done.'),
};

/**
 * Length is guidance in the prompt, not a cap on the wire: a cap cuts summaries off. Only Anthropic's wire demands a
 * number, and the SDK would guess one for models it does not know; this is more than any summary needs.
 */
const ANTHROPIC_OUTPUT = 32_000;

function outputLimit(model: LanguageModel, maxOutput: number | null): { readonly maxOutputTokens?: number } {
  if (typeof model === 'string' || !model.provider.startsWith('anthropic')) return {};
  return { maxOutputTokens: Math.min(maxOutput ?? ANTHROPIC_OUTPUT, ANTHROPIC_OUTPUT) };
}

function finishOf(reason: SdkFinishReason): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'content-filter':
      return reason;
    case 'tool-calls':
      return 'tool-call';
    default:
      return 'other';
  }
}

function usageOf({ inputTokens, outputTokens, inputTokenDetails }: LanguageModelUsage): ModelUsage {
  return {
    inputTokens: inputTokens ?? null,
    outputTokens: outputTokens ?? null,
    cachedInputTokens: inputTokenDetails.cacheReadTokens ?? null,
  };
}
