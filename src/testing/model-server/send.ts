import type { ServerResponse } from 'node:http';
import { chunksOf, type ErrorReply, pause, type Reply, usageOf, type WrittenReply } from './reply.ts';
import type { ErrorContext, JsonObject, Wire, WireAnswer, WireError } from './wire.ts';

/** The request and the connection that a reply goes to. */
export interface Exchange extends ErrorContext {
  readonly wire: Wire;
  readonly body: JsonObject;
  readonly response: ServerResponse;
  /** Aborts when the client is gone or the server closes, so that no timer outlives a test. */
  readonly signal: AbortSignal;
}

export async function sendReply(reply: Reply, exchange: Exchange): Promise<void> {
  switch (reply.type) {
    case 'raw':
      exchange.response.writeHead(reply.status, { 'content-type': reply.contentType }).end(reply.body);
      return;
    case 'error':
      return sendError(reply, exchange);
    case 'written':
      return exchange.body['stream'] === true ? sendStream(reply, exchange) : sendWhole(reply, exchange);
  }
}

async function sendError(reply: ErrorReply, exchange: Exchange): Promise<void> {
  const { wire, response, body } = exchange;
  const error = wire.error(reply, exchange);
  if (body['stream'] === true && (reply.after !== undefined || error.late))
    return sendLateError(reply, error, exchange);
  const headers: Record<string, string> = { ...wire.headers, 'content-type': 'application/json' };
  if (reply.retryAfterSeconds !== undefined) headers['retry-after'] = String(reply.retryAfterSeconds);
  if (reply.retryAfterMs !== undefined) headers['retry-after-ms'] = String(reply.retryAfterMs);
  response.writeHead(error.status, headers).end(JSON.stringify(error.body));
}

async function sendLateError(reply: ErrorReply, error: WireError, exchange: Exchange): Promise<void> {
  const { wire, response } = exchange;
  openStream(exchange);
  let sequence = 0;
  const begun: WrittenReply = { type: 'written', text: reply.after ?? '', finish: 'stop' };
  for (const { part, text } of wire.stream(answerOf(begun, exchange))) {
    // Without text, the error comes where the first item would begin.
    if (part === 'close' || (reply.after === undefined && sequence === 2)) break;
    await write(text, begun, exchange);
    sequence += 1;
  }
  for (const text of wire.errorFrames(error, sequence)) await write(text, begun, exchange);
  response.end();
}

async function sendStream(reply: WrittenReply, exchange: Exchange): Promise<void> {
  const { wire, signal } = exchange;
  await pause(reply.firstByteMs ?? 0, signal);
  openStream(exchange);
  const answer = answerOf(reply, exchange);
  const breaksAt = reply.end === 'complete' || reply.end === undefined ? null : Math.ceil(answer.chunks.length / 2);
  let deltas = 0;
  for (const { part, text } of wire.stream(answer)) {
    if (signal.aborted) return;
    if (breaksAt !== null && (part === 'close' || (part === 'delta' && deltas >= breaksAt))) break;
    if (part === 'delta') {
      deltas += 1;
      if (reply.perChunkMs !== undefined) await pause(reply.perChunkMs, signal);
    }
    await write(text, reply, exchange);
  }
  await end(reply, exchange);
}

async function sendWhole(reply: WrittenReply, exchange: Exchange): Promise<void> {
  const { wire, response, signal } = exchange;
  const answer = answerOf(reply, exchange);
  await pause((reply.firstByteMs ?? 0) + (reply.perChunkMs ?? 0) * answer.chunks.length, signal);
  const text = JSON.stringify(wire.whole(answer));
  const sent = reply.end === undefined || reply.end === 'complete' ? text : text.slice(0, text.length / 2);
  // An answer that ends properly must not reveal by its length that it is half.
  const length = Buffer.byteLength(reply.end === 'early' ? sent : text);
  response.writeHead(200, { ...wire.headers, 'content-type': 'application/json', 'content-length': length });
  await write(sent, reply, exchange);
  await end(reply, exchange);
}

async function end(reply: WrittenReply, { response, signal }: Exchange): Promise<void> {
  switch (reply.end ?? 'complete') {
    case 'complete':
    case 'early':
      response.end();
      return;
    case 'drop':
      // The text has to arrive before the connection breaks.
      await pause(5, signal);
      response.destroy();
      return;
    case 'stall':
      return pause(Number.POSITIVE_INFINITY, signal);
  }
}

function openStream({ response, wire }: Exchange): void {
  response.writeHead(200, { ...wire.headers, 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
}

/** Writes in pieces. Pieces sent at once arrive as one, so there is a pause after each. */
async function write(text: string, { splitBytes }: WrittenReply, { response, signal }: Exchange): Promise<void> {
  const bytes = Buffer.from(text);
  const size = splitBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length && !signal.aborted; at += size) {
    const flows = response.write(bytes.subarray(at, at + size));
    if (splitBytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
    if (flows) continue;
    await new Promise<void>((resolve) => {
      response.once('drain', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function answerOf(reply: WrittenReply, { request, model, body }: Exchange): WireAnswer {
  const options = body['stream_options'];
  return {
    ...usageOf(reply, request),
    model,
    chunks: chunksOf(reply.text),
    finish: reply.finish,
    toolCall: reply.toolCall ?? null,
    includeUsage: typeof options === 'object' && options !== null && 'include_usage' in options,
  };
}
