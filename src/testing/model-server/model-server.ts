import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicWire } from './anthropic.ts';
import { openaiChatWire } from './openai-chat.ts';
import { openaiResponsesWire } from './openai-responses.ts';
import { playerOf, type Script, type SeenRequest } from './reply.ts';
import { sendReply } from './send.ts';
import { asObject, CREATED, type JsonObject, type Wire } from './wire.ts';

/** A request as it arrived. */
export interface RecordedRequest extends SeenRequest {
  /** Path of the URL, e.g. `/v1/messages`. */
  readonly path: string;
  /** Header names in lower case; headers with secrets hold `[removed]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body. */
  readonly body: unknown;
  /** Length of the body in characters. */
  readonly size: number;
  /** The text for the model: instructions and prompt. */
  readonly text: string;
}

/** A running model server. */
export interface ModelServer {
  /** Address without a path; clients of all its providers take it with `/v1`. */
  readonly url: string;
  /** Requests to models so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Sets another script from the next request on. */
  script(next: Script): void;
  /** Breaks all connections and stops the server. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Options of the server. */
export interface ModelServerOptions {
  /** Names that `GET /v1/models` lists. The server answers under every name. @default `scripted` */
  readonly models?: readonly string[];
}

/**
 * Starts a real server on loopback that speaks the APIs of OpenAI (chat and responses) and Anthropic, and follows a script.
 *
 * @example
 * ```ts
 * const server = await startModelServer([behave.status(529), behave.answer('Hello.')]);
 * const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' });
 * ```
 */
export async function startModelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const open = new Set<AbortController>();
  let play = playerOf(script);
  const server = createServer((request, response) => {
    const gone = new AbortController();
    open.add(gone);
    response.once('close', () => {
      gone.abort();
      open.delete(gone);
    });
    answer(request, response, gone.signal).catch((error: unknown) => {
      // A script that throws is a mistake in the test, so the response says so.
      if (!response.headersSent) sendJson(response, 500, { error: { message: `The script failed: ${String(error)}` } });
      else response.destroy();
    });
  });
  const answer = async (request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const headers = plainHeaders(request);
    if (request.method === 'GET' && path === '/v1/models') {
      return sendJson(response, 200, listOf(options.models ?? ['scripted'], 'anthropic-version' in headers));
    }
    const wire = WIRES.find((candidate) => candidate.path === path);
    if (wire === undefined || request.method !== 'POST') {
      return sendJson(response, 404, { error: { message: `Unknown request URL: ${request.method} ${path}.` } });
    }
    const text = await readBody(request);
    const body = parse(text);
    if (body === null) return sendJson(response, 400, { error: { message: 'The body is not valid JSON.' } });
    const seen = wire.read(body);
    const read = [seen.instructions, seen.prompt].filter((part) => part !== '').join('\n');
    requests.push({ ...seen, path, headers: withoutSecrets(headers), body, size: text.length, text: read });
    const model = String(body['model'] ?? 'scripted');
    const context = { wire, body, response, signal, request: seen, model, apiKey: keyIn(headers) };
    await sendReply(play(seen), context);
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    for (const controller of open) controller.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (next) => {
      play = playerOf(next);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const WIRES: readonly Wire[] = [openaiChatWire, openaiResponsesWire, anthropicWire];

const SECRET_HEADER = /authorization|api-?key|cookie|token|secret/;

function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADER.test(name) ? '[removed]' : value]),
  );
}

function plainHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

function keyIn(headers: Readonly<Record<string, string>>): string {
  return headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /, '') ?? '';
}

function listOf(models: readonly string[], anthropic: boolean): JsonObject {
  if (!anthropic) {
    const data = models.map((id) => ({ id, object: 'model', created: CREATED, owned_by: 'precis' }));
    return { object: 'list', data };
  }
  const created_at = new Date(CREATED * 1000).toISOString();
  const data = models.map((id) => ({ type: 'model', id, display_name: id, created_at }));
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function parse(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
