import type { JSONValue, LanguageModel, LanguageModelUsage, FinishReason as SdkFinishReason } from 'ai';
import type { FinishReason, Model, ModelOutcome, ModelPrices, ModelRequest, ModelUsage } from '../core/model.ts';
import { resolveModel } from './catalog/catalog.ts';
import { failureOf, plainFailure } from './failure/failure.ts';
import { LONGEST_TIMER } from './timers.ts';

/** Facts and limits for an AI SDK model. */
export interface LanguageModelOptions {
  /** Name of the model in receipts. @default `provider/name`, as the model states them */
  readonly id?: string;
  /** Context window in tokens. @default the catalogue's value, else 128,000 */
  readonly contextWindow?: number;
  /** Longest answer in tokens; null when unknown. @default the catalogue's value */
  readonly maxOutput?: number | null;
  /** US dollars per million tokens; null when unknown. @default the catalogue's value */
  readonly prices?: ModelPrices | null;
  /** Longest silence in milliseconds. Reasoning counts as a sign of life; a server's ping does not. @default 120_000 */
  readonly idleMs?: number;
  /** Longest time for a whole answer, in milliseconds. @default 600_000 */
  readonly totalMs?: number;
  /** Provider settings as the AI SDK takes them, e.g. for reasoning effort. @default none */
  readonly providerOptions?: Record<string, Record<string, JSONValue>>;
}

const IDLE_MS = 120_000;
const TOTAL_MS = 600_000;

/**
 * Adapts any AI SDK model. The SDK is loaded with the first request.
 *
 * @example
 * import { anthropic } from '@ai-sdk/anthropic';
 * const model = fromLanguageModel(anthropic('claude-haiku-4-5'));
 */
export function fromLanguageModel(model: LanguageModel, options: LanguageModelOptions = {}): Model {
  return fromLoader(options.id ?? idOf(model), async () => model, options);
}

/** Does the same for a model whose provider is loaded with the first request. */
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
  // `anthropic.messages` names the provider and the API.
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
    // A model that ignores its signal must not block the caller.
    return await Promise.race([written, whenAborted(stop.signal)]);
  } catch (error) {
    if (!stop.signal.aborted) return { type: 'failed', failure: failureOf(error) };
    return { type: 'failed', failure: endedFailure(stop.signal.reason as Ended, { idleMs, totalMs }) };
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
    request.signal?.removeEventListener('abort', cancel);
    // An unread stream would keep its connection open.
    stop.abort('done');
  }
}

/** The reason a request ended before the model did. */
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
  // The other promise may win the race; this rejection must not go unhandled.
  promise.catch(() => {});
  return promise;
}

interface Writing {
  readonly signal: AbortSignal;
  /** Called at every sign of life. */
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
    // The chain retries: it knows the other candidates and the remaining time.
    maxRetries: 0,
    streamRetries: 0,
    // Errors arrive in the stream; by default the SDK also prints them, with the request in them.
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
        // The provider gave no reason: the connection closed in the middle of the answer.
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
 * The prompt states the length; a cap on the wire would cut summaries off. Only Anthropic's API demands a number, and the SDK would guess one for
 * models it does not know; this is more than any summary needs.
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
