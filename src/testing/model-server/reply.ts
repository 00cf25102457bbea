import type { FinishReason, ModelUsage } from '../../core/model.ts';

/** A request to the model, over any wire. */
export interface SeenRequest {
  /** System text of the request; empty when there is none. */
  readonly instructions: string;
  /** All other text of the request. */
  readonly prompt: string;
}

/** The reply to one request. Plain data, so that the server and the in-process model act the same. */
export type Reply = WrittenReply | ErrorReply | RawReply;

/** An answer in text, or a tool call. */
export interface WrittenReply extends Pace {
  /** Marks an answer. */
  readonly type: 'written';
  /** The text, sent in small chunks to a streaming client. */
  readonly text: string;
  /** The finish reason that the provider reports. */
  readonly finish: FinishReason;
  /** A tool call in place of the text. @default none */
  readonly toolCall?: ToolCallReply;
  /** Token counts that the provider reports. @default a quarter of the characters, nothing cached */
  readonly usage?: Partial<ModelUsage>;
  /** Bytes sent at a time, which tears characters and events apart. @default one event at a time */
  readonly splitBytes?: number;
  /**
   * How the answer ends. All but `complete` stop halfway: `stall` keeps the connection open, `drop` breaks it, `early` closes it properly. @default
   * 'complete'
   */
  readonly end?: 'complete' | 'stall' | 'drop' | 'early';
}

/** How slowly an answer arrives. */
export interface Pace {
  /** Milliseconds before the first byte. @default 0 */
  readonly firstByteMs?: number;
  /** Milliseconds before each chunk of a few characters. @default 0 */
  readonly perChunkMs?: number;
}

/** A tool call of the model. */
export interface ToolCallReply {
  /** Name of the tool. */
  readonly name: string;
  /** Arguments, sent as JSON. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** The kind of failure; `status` is a plain HTTP status. */
export type Fault = 'status' | 'quota' | 'overflow' | 'blocked';

/** How an overflow error is worded; a wire sends an unknown wording as `plain`. */
export type OverflowWording = 'plain' | 'with-completion' | 'vllm' | 'llama.cpp' | 'openrouter';

/** A failure in the provider's own words. */
export interface ErrorReply {
  /** Marks a failure. */
  readonly type: 'error';
  /** The kind of failure. */
  readonly fault: Fault;
  /** HTTP status. Anthropic sends some faults with a status of its own. */
  readonly status: number;
  /** Value of the `retry-after` header, in seconds. @default no header */
  readonly retryAfterSeconds?: number;
  /** Value of the `retry-after-ms` header, in milliseconds. @default no header */
  readonly retryAfterMs?: number;
  /** The window named in an overflow error, in tokens; null for a wording without it. */
  readonly limit?: number | null;
  /** Wording of an overflow error. @default 'plain' */
  readonly wording?: OverflowWording;
  /** Text that a streamed answer begins with before the error follows as an event, as when a provider fails late. @default the error comes at once */
  readonly after?: string;
  /** Replaces the provider's message, e.g. by one that quotes the API key or the prompt. */
  readonly message?: (request: SeenRequest, apiKey: string) => string;
}

/** Bytes that no provider would send: a gateway's page, broken JSON, nothing. */
export interface RawReply {
  /** Marks raw bytes. */
  readonly type: 'raw';
  /** HTTP status. */
  readonly status: number;
  /** Value of the `content-type` header. */
  readonly contentType: string;
  /** The whole body. */
  readonly body: string;
}

/** One way for a model to act. `sequence` and `flaky` remember their place, so make new ones for each test. */
export interface Behaviour {
  /** A few words, for the names of tests. */
  readonly name: string;
  /** Decides the reply to a request. */
  reply(request: SeenRequest): Reply;
}

/** One behaviour for all requests, a list of behaviours in order (the last one repeats), or a function that chooses one for each request. */
export type Script = Behaviour | readonly Behaviour[] | ((request: SeenRequest) => Behaviour);

/** Returns a function that replies to each request in turn. */
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

/** A plausible token count, not an exact one. */
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

/** Splits a text as a provider streams it: a few characters each, more for long texts, so that a blob does not take minutes. */
export function chunksOf(text: string): readonly string[] {
  const size = Math.max(12, Math.ceil(text.length / 2000));
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + size, text.length);
    // JSON cannot carry half of a surrogate pair.
    const code = text.charCodeAt(end - 1);
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end += 1;
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}

/** Waits until the time is over or the signal aborts. */
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
