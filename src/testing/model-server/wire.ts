import type { FinishReason } from '../../core/model.ts';
import type { ErrorReply, SeenRequest, ToolCallReply } from './reply.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A provider's API: how it is asked, how it answers and how it fails. */
export interface Wire {
  readonly path: string;
  read(body: JsonObject): SeenRequest;
  /** The answer of a request without streaming. */
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
  /** The client asked for usage in the stream, where that has to be asked for. */
  readonly includeUsage: boolean;
}

/** An answer that breaks off has no `close` frames. */
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
  /** The provider starts the stream before it finds the error, so a streaming client sees it there. */
  readonly late: boolean;
}

/** Long ago and always the same, so that answers are equal from run to run. */
export const CREATED = 1_750_000_000;

/** The texts of messages as providers nest them: a string, or parts of which some have a text. */
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

/** One server-sent event, named as the wire does it. */
export function eventOf(data: JsonObject): string {
  return `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;
}
