import type { FinishReason } from '../../core/model.ts';
import type { ErrorReply, SeenRequest, ToolCallReply } from './reply.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A provider's API: its requests, answers and errors. */
export interface Wire {
  readonly path: string;
  read(body: JsonObject): SeenRequest;
  /** The answer without streaming. */
  whole(answer: WireAnswer): JsonObject;
  /** The same answer as server-sent events. */
  stream(answer: WireAnswer): Generator<Frame>;
  error(reply: ErrorReply, context: ErrorContext): WireError;
  /** An error in the middle of a stream; `sequence` is the number of events before it. */
  errorFrames(error: WireError, sequence: number): readonly string[];
  /** Headers every answer of the provider carries. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface WireAnswer {
  readonly model: string;
  readonly chunks: readonly string[];
  readonly finish: FinishReason;
  readonly toolCall: ToolCallReply | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** True when the client asked for usage in the stream, where a client has to ask. */
  readonly includeUsage: boolean;
}

/** A piece of a stream. An answer that breaks off has no `close` frames. */
export interface Frame {
  readonly part: 'open' | 'delta' | 'close';
  readonly text: string;
}

export interface ErrorContext {
  readonly request: SeenRequest;
  readonly model: string;
  readonly apiKey: string;
}

export interface WireError {
  readonly status: number;
  readonly body: JsonObject;
  /** True when the provider starts the stream before it finds the error, so that a streaming client sees it there. */
  readonly late: boolean;
}

/** A fixed time, so that answers are equal in every run. */
export const CREATED = 1_750_000_000;

/** Collects the texts of messages: strings, or the texts of their parts. */
export function readMessages(messages: unknown): SeenRequest {
  const instructions: string[] = [];
  const prompt: string[] = [];
  if (typeof messages === 'string') return { instructions: '', prompt: messages };
  for (const message of Array.isArray(messages) ? messages : []) {
    const { role, content } = asObject(message);
    (role === 'system' || role === 'developer' ? instructions : prompt).push(textIn(content));
  }
  return { instructions: instructions.join('\n'), prompt: prompt.join('\n') };
}

export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => asObject(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

/** A server-sent event named after its type. */
export function eventOf(data: JsonObject): string {
  return `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;
}
