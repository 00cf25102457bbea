import type { FinishReason } from '../../core/model.ts';
import { type ErrorReply, roughTokens } from './reply.ts';
import {
  type ErrorContext,
  eventOf,
  type Frame,
  type JsonObject,
  readMessages,
  textIn,
  type Wire,
  type WireAnswer,
  type WireError,
} from './wire.ts';

/** `POST /v1/messages` of Anthropic. */
export const anthropicWire: Wire = {
  path: '/v1/messages',
  headers: { 'request-id': 'req_precis' },
  read: (body) => {
    const { instructions, prompt } = readMessages(body['messages']);
    return { instructions: [textIn(body['system']), instructions].filter((text) => text !== '').join('\n'), prompt };
  },
  whole: (answer) => ({
    ...messageOf(answer),
    content: answer.toolCall === null && answer.chunks.length === 0 ? [] : [blockOf(answer)],
    stop_reason: REASONS[answer.finish],
    usage: usage(answer),
  }),
  stream,
  error: errorOf,
  errorFrames: ({ body }) => [eventOf(body)],
};

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  'tool-call': 'tool_use',
  other: 'other',
};

function* stream(answer: WireAnswer): Generator<Frame> {
  const frame = (part: Frame['part'], type: string, data: JsonObject): Frame => ({
    part,
    text: eventOf({ type, ...data }),
  });
  const opening = { ...usage(answer), output_tokens: 1 };
  const message = { ...messageOf(answer), content: [], stop_reason: null, usage: opening };
  yield frame('open', 'message_start', { message });
  const call = answer.toolCall;
  if (call !== null || answer.chunks.length > 0) {
    const block = call === null ? { type: 'text', text: '' } : { ...blockOf(answer), input: {} };
    yield frame('open', 'content_block_start', { index: 0, content_block: block });
    yield frame('open', 'ping', {});
    const deltas =
      call === null
        ? answer.chunks.map((text) => ({ type: 'text_delta', text }))
        : [{ type: 'input_json_delta', partial_json: JSON.stringify(call.args) }];
    for (const delta of deltas) yield frame('delta', 'content_block_delta', { index: 0, delta });
    yield frame('close', 'content_block_stop', { index: 0 });
  }
  const delta = { stop_reason: REASONS[answer.finish], stop_sequence: null };
  yield frame('close', 'message_delta', { delta, usage: { output_tokens: answer.outputTokens } });
  yield frame('close', 'message_stop', {});
}

function messageOf({ model }: WireAnswer): JsonObject {
  return { id: 'msg_precis', type: 'message', role: 'assistant', model, stop_sequence: null };
}

function blockOf({ toolCall, chunks }: WireAnswer): JsonObject {
  if (toolCall === null) return { type: 'text', text: chunks.join('') };
  return { type: 'tool_use', id: 'toolu_precis_1', name: toolCall.name, input: toolCall.args };
}

/** Anthropic counts cached input apart from the other input. */
function usage({ inputTokens, outputTokens, cachedInputTokens }: WireAnswer): JsonObject {
  return {
    input_tokens: inputTokens - cachedInputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
}

function errorOf(reply: ErrorReply, context: ErrorContext): WireError {
  const [status, type, message] = wordsOf(reply, context);
  const error = { type, message: reply.message?.(context.request, context.apiKey) ?? message };
  return { status, body: { type: 'error', error, request_id: 'req_precis' }, late: false };
}

function wordsOf(reply: ErrorReply, context: ErrorContext): readonly [number, string, string] {
  const invalid = (message: string): [number, string, string] => [400, 'invalid_request_error', message];
  switch (reply.fault) {
    case 'quota':
      // Anthropic really sends 400: only the words tell it from a bad request.
      return invalid(
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      );
    case 'blocked':
      return invalid('Output blocked by content filtering policy');
    case 'overflow':
      return invalid(overflowWords(reply, context));
    case 'status': {
      const words = STATUSES[reply.status] ?? STATUSES[reply.status >= 500 ? 500 : 400];
      return [reply.status, words?.[0] ?? 'api_error', (words?.[1] ?? '').replace('MODEL', context.model)];
    }
  }
}

function overflowWords({ limit, wording }: ErrorReply, { request }: ErrorContext): string {
  if (limit === undefined || limit === null) return 'Input is too long for requested model.';
  const used = Math.max(limit + 1, roughTokens(request.instructions + request.prompt));
  if (wording !== 'with-completion') return `prompt is too long: ${used} tokens > ${limit} maximum`;
  const over = `${limit - 1000} + 8192 > ${limit}`;
  return `input length and \`max_tokens\` exceed context limit: ${over}, decrease input length or \`max_tokens\` and try again`;
}

const STATUSES: Readonly<Record<number, readonly [string, string]>> = {
  400: ['invalid_request_error', 'messages: at least one message is required'],
  401: ['authentication_error', 'invalid x-api-key'],
  402: ['billing_error', 'There is an issue with your billing or payment information.'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'model: MODEL'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: [
    'rate_limit_error',
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.",
  ],
  500: ['api_error', 'Internal server error'],
  503: ['api_error', 'Service temporarily unavailable'],
  529: ['overloaded_error', 'Overloaded'],
};
