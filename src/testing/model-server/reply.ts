import type { FinishReason, ModelUsage } from '../../core/model.ts';

/** What the model was asked, whichever wire it came over. */
export interface SeenRequest {
  readonly instructions: string;
  readonly prompt: string;
}

/** How one request is answered. Data, so that the server and the in-process model act the same. */
export type Reply = WrittenReply | ErrorReply | RawReply;

export interface WrittenReply extends Pace {
  readonly type: 'written';
  readonly text: string;
  readonly finish: FinishReason;
  readonly toolCall?: ToolCallReply;
  /** Numbers the provider reports. @default a quarter of the characters, nothing cached */
  readonly usage?: Partial<ModelUsage>;
  /** Bytes that go out at a time, so that characters and events are torn apart. @default an event at a time */
  readonly splitBytes?: number;
  /** The others stop halfway: `stall` keeps the connection open, `drop` breaks it, `early` ends it in order. @default 'complete' */
  readonly end?: 'complete' | 'stall' | 'drop' | 'early';
}

export interface Pace {
  /** @default 0 */
  readonly firstByteMs?: number;
  /** @default 0 */
  readonly perChunkMs?: number;
}

export interface ToolCallReply {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What went wrong; `status` means nothing but the HTTP status. */
export type Fault = 'status' | 'quota' | 'overflow' | 'blocked';

/** Overflow errors read differently from provider to provider; one that a wire does not know is sent as `plain`. */
export type OverflowWording = 'plain' | 'with-completion' | 'vllm' | 'llama.cpp' | 'openrouter';

export interface ErrorReply {
  readonly type: 'error';
  readonly fault: Fault;
  readonly status: number;
  readonly retryAfterSeconds?: number;
  readonly retryAfterMs?: number;
  /** The window in an overflow error; null for the wording that does not name it. */
  readonly limit?: number | null;
  readonly wording?: OverflowWording;
  /** A streamed answer begins with this text and the error follows as an event, as it does when a provider fails late. */
  readonly after?: string;
  /** Replaces the provider's own message, e.g. by one that quotes the API key or the prompt. */
  readonly message?: (request: SeenRequest, apiKey: string) => string;
}

/** Bytes that no provider would send: a page of a gateway, broken JSON, nothing. */
export interface RawReply {
  readonly type: 'raw';
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** One way for a model to act. Those with a place in a list (`sequence`, `flaky`) remember it: make one for each test. */
export interface Behaviour {
  readonly name: string;
  reply(request: SeenRequest): Reply;
}

/** One behaviour for all requests, one after the other (the last stays), or one chosen for each request. */
export type Script = Behaviour | readonly Behaviour[] | ((request: SeenRequest) => Behaviour);

/** Gives the reply to each request in turn. */
export function playerOf(script: Script): (request: SeenRequest) => Reply {
  if (typeof script === 'function') return (request) => script(request).reply(request);
  if ('reply' in script) return (request) => script.reply(request);
  let next = 0;
  return (request) => {
    const behaviour = script[Math.min(next, script.length - 1)];
    if (behaviour === undefined) throw new Error('Expected a script with at least one behaviour, got an empty list');
    next += 1;
    return behaviour.reply(request);
  };
}

/** Tokens as a provider would count them, near enough for a number that only has to be plausible. */
export function roughTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The usage that goes with an answer. */
export function usageOf({ text, usage }: WrittenReply, request: SeenRequest): Record<keyof ModelUsage, number> {
  return {
    inputTokens: usage?.inputTokens ?? roughTokens(request.instructions + request.prompt),
    outputTokens: usage?.outputTokens ?? roughTokens(text),
    cachedInputTokens: usage?.cachedInputTokens ?? 0,
  };
}

/** Pieces as a provider streams them: a few characters each, larger for long texts, so that a blob does not take minutes. */
export function chunksOf(text: string): readonly string[] {
  const size = Math.max(12, Math.ceil(text.length / 2000));
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + size, text.length);
    // JSON carries no half of a surrogate pair.
    const code = text.charCodeAt(end - 1);
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end += 1;
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}

/** Waits, or less when the signal says so. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = Number.isFinite(milliseconds) ? setTimeout(done, milliseconds) : undefined;
    signal?.addEventListener('abort', done);
  });
}
