import { APICallError, JSONParseError, LoadAPIKeyError, RetryError, TypeValidationError } from 'ai';
import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../../core/model.ts';
import { failureOf } from './failure.ts';

interface Answer {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly message?: string;
}

const KEY = 'sk-ant-abc123secret';
const TALK = 'Paula asked for the invoice of March';

function answered(statusCode: number, { body, headers, message }: Answer = {}): APICallError {
  return new APICallError({
    message: message ?? `failed with ${KEY} on ${TALK}`,
    url: `https://api.example.com/v1/x?key=${KEY}`,
    requestBodyValues: { prompt: TALK },
    statusCode,
    ...(headers === undefined ? {} : { responseHeaders: headers }),
    responseBody: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
  });
}

describe('the status and the words of an answer decide', () => {
  test.each<[FailureKind, number, unknown]>([
    ['auth', 401, { error: { type: 'authentication_error', message: 'invalid x-api-key' } }],
    ['auth', 403, { error: { type: 'permission_error' } }],
    [
      'auth',
      400,
      { error: { status: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' } },
    ],
    ['quota', 402, { error: { message: 'Insufficient Balance' } }],
    ['quota', 429, { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } }],
    ['quota', 400, { error: { message: 'Your credit balance is too low to access the Anthropic API.' } }],
    ['rate-limit', 429, { error: { type: 'rate_limit_error' } }],
    [
      'rate-limit',
      429,
      {
        error: {
          status: 'RESOURCE_EXHAUSTED',
          message: 'You exceeded your current quota',
          x: [{ retryDelay: '34.07s' }],
        },
      },
    ],
    ['overloaded', 500, {}],
    ['overloaded', 502, '<html>Bad gateway</html>'],
    ['overloaded', 503, {}],
    ['overloaded', 529, { error: { type: 'overloaded_error' } }],
    ['timeout', 408, {}],
    ['timeout', 504, {}],
    ['overflow', 400, { error: { message: 'prompt is too long: 213462 tokens > 200000 maximum' } }],
    ['overflow', 413, {}],
    ['overflow', 429, { error: { message: 'Request too large for gpt-4o on TPM: Limit 30000, Requested 40000.' } }],
    ['overflow', 500, { error: { message: 'the request exceeds the available context size, try increasing it' } }],
    ['content-filter', 400, { error: { code: 'content_filter' } }],
    [
      'content-filter',
      400,
      { error: { message: 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.' } },
    ],
    ['unknown', 400, { error: { message: 'temperature is not supported' } }],
    ['unknown', 404, { error: { message: 'model not found' } }],
    ['unknown', 422, {}],
  ])('%s: %i %j', (kind, status, body) => {
    expect(failureOf(answered(status, { body })).kind).toBe(kind);
  });

  test('but words of the transcript in a refused request do not', () => {
    const body = `the prompt was: ${'we hit a rate limit, the server was overloaded. '.repeat(5)}`;
    expect(failureOf(answered(400, { body })).kind).toBe('unknown');
  });

  test('an overflow tells the window', () => {
    const body = { error: { message: 'prompt is too long: 213462 tokens > 200000 maximum' } };
    expect(failureOf(answered(400, { body }))).toMatchObject({
      message: 'The request is longer than the model accepts, which is 200,000 tokens (400).',
      learnedWindow: 200_000,
    });
  });

  test('the last error of many tries counts', () => {
    const errors = [answered(500), answered(401)];
    expect(failureOf(new RetryError({ message: 'x', reason: 'maxRetriesExceeded', errors })).kind).toBe('auth');
  });
});

describe('errors without an answer', () => {
  const coded = (code: string): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code }) });

  test.each<[FailureKind, unknown]>([
    ['network', coded('ECONNREFUSED')],
    ['network', coded('ECONNRESET')],
    ['network', coded('ENOTFOUND')],
    ['network', coded('UND_ERR_SOCKET')],
    ['timeout', coded('ETIMEDOUT')],
    ['timeout', coded('UND_ERR_HEADERS_TIMEOUT')],
    ['network', new TypeError('fetch failed')],
    ['network', new TypeError('terminated')],
    ['network', new TypeError('fetch failed', { cause: new AggregateError([coded('ECONNREFUSED')]) })],
    ['aborted', new DOMException('stopped', 'AbortError')],
    ['timeout', new DOMException('late', 'TimeoutError')],
    ['malformed', new JSONParseError({ text: TALK, cause: new SyntaxError('x') })],
    ['malformed', new TypeValidationError({ value: TALK, cause: new Error('x') })],
    ['malformed', new SyntaxError('Unexpected token < in JSON')],
    ['malformed', answered(200, { body: '<html>', message: 'Invalid JSON response' })],
    ['auth', new LoadAPIKeyError({ message: 'no key' })],
    ['overloaded', 'Overloaded'],
    ['overloaded', { type: 'overloaded_error', message: 'Overloaded' }],
    ['overloaded', { error: { code: 503, message: 'Loading model' } }],
    ['rate-limit', { message: 'Rate limit reached', code: 'rate_limit_exceeded' }],
    ['rate-limit', 'Too many tokens, please wait before trying again.'],
    ['overflow', "This model's maximum context length is 4096 tokens"],
    ['content-filter', { type: 'error', message: 'Output blocked by content filtering policy' }],
    ['timeout', new Error('request timed out')],
    ['unknown', new Error('hm')],
    ['unknown', undefined],
    ['unknown', null],
    ['unknown', 42],
  ])('%s: %s', (kind, thrown) => {
    expect(failureOf(thrown).kind).toBe(kind);
  });

  test('an error that is its own cause ends', () => {
    const error = new Error('round');
    error.cause = error;
    expect(failureOf(error).kind).toBe('unknown');
  });
});

describe('the message', () => {
  test('is one sentence of our own, without key, address and transcript', () => {
    const errors: readonly unknown[] = [
      ...[200, 400, 401, 402, 404, 408, 413, 418, 429, 500, 529].map((status) =>
        answered(status, { body: { error: { type: KEY, code: TALK, message: `${KEY} ${TALK}` } } }),
      ),
      new Error(`${KEY} ${TALK}`),
      new JSONParseError({ text: `${KEY} ${TALK}`, cause: new Error(KEY) }),
      `${KEY} ${TALK}`,
    ];
    for (const error of errors) {
      const { message } = failureOf(error);
      expect(message).not.toMatch(/sk-ant|secret|Paula|invoice|v1/);
      expect(message).toMatch(/^[A-Za-z][^\n]+\.$/);
      expect(message.length).toBeLessThan(140);
    }
  });

  test('names the host, the status and the code of the provider', () => {
    const body = { error: { type: 'authentication_error' } };
    expect(failureOf(answered(401, { body })).message).toBe(
      'api.example.com did not accept the key (401, authentication_error).',
    );
  });
});

describe('when to try again', () => {
  const now = (): number => Date.parse('2026-11-15T10:00:00Z');
  test.each<[number | null, Record<string, string>]>([
    [1500, { 'retry-after-ms': '1500', 'retry-after': '9' }],
    [7000, { 'retry-after': '7' }],
    [2500, { 'Retry-After': '2.5' }],
    [30_000, { 'retry-after': 'Sun, 15 Nov 2026 10:00:30 GMT' }],
    [0, { 'retry-after': 'Sun, 15 Nov 2026 09:00:00 GMT' }],
    [null, { 'retry-after': 'soon' }],
    [null, {}],
  ])('%s ms from %j', (ms, headers) => {
    expect(failureOf(answered(429, { headers }), { now }).retryAfterMs).toBe(ms);
  });

  test('Google says it in the body', () => {
    const body = { error: { details: [{ '@type': 'RetryInfo', retryDelay: '34.07s' }] } };
    expect(failureOf(answered(429, { body })).retryAfterMs).toBe(34_070);
  });
});
