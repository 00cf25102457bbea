import { type ErrorReply, roughTokens } from './reply.ts';
import type { ErrorContext, JsonObject, WireError } from './wire.ts';

/** The errors of both OpenAI APIs, and of servers that imitate them, in their own words. */
export function openaiError(reply: ErrorReply, context: ErrorContext, api: 'chat' | 'responses'): WireError {
  const error = bodyOf(reply, context, api);
  const message = reply.message?.(context.request, context.apiKey);
  return {
    status: reply.status,
    body: { error: message === undefined ? error : { ...error, message } },
    late: reply.fault === 'overflow' && reply.limit === null && api === 'responses',
  };
}

function bodyOf(reply: ErrorReply, context: ErrorContext, api: 'chat' | 'responses'): JsonObject {
  switch (reply.fault) {
    case 'quota':
      return fields(
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
        'insufficient_quota',
        'insufficient_quota',
      );
    case 'blocked':
      return fields(
        'Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt: https://platform.openai.com/docs/guides/reasoning#advice-on-prompting',
        'invalid_request_error',
        'invalid_prompt',
      );
    case 'overflow':
      return overflowBody(reply, context, api);
    case 'status':
      return statusBody(reply, context);
  }
}

function overflowBody(
  { limit, wording }: ErrorReply,
  { request }: ErrorContext,
  api: 'chat' | 'responses',
): JsonObject {
  const param = api === 'chat' ? 'messages' : 'input';
  const overflow = (message: string): JsonObject => ({
    ...fields(message, 'invalid_request_error', 'context_length_exceeded'),
    param,
  });
  if (limit === undefined || limit === null) {
    return overflow('Your input exceeds the context window of this model. Please adjust your input and try again.');
  }
  const used = Math.max(limit + 1, roughTokens(request.instructions + request.prompt));
  if (api === 'responses') {
    return overflow(
      `Input tokens exceed the configured limit of ${limit} tokens. Your messages resulted in ${used} tokens. Please reduce the length of the messages.`,
    );
  }
  switch (wording ?? 'plain') {
    case 'plain':
      return overflow(
        `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${used} tokens. Please reduce the length of the messages.`,
      );
    case 'with-completion':
      return overflow(
        `This model's maximum context length is ${limit} tokens. However, you requested ${used + 8192} tokens (${used} in the messages, 8192 in the completion). Please reduce the length of the messages or completion.`,
      );
    case 'vllm':
      return {
        message: `You passed ${used} input tokens and requested 10 output tokens. However, the model's context length is only ${limit} tokens, resulting in a maximum input length of ${limit - 10} tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=${used})`,
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      };
    case 'llama.cpp':
      return {
        code: 400,
        message: `request (${used} tokens) exceeds the available context size (${limit} tokens), try increasing it`,
        type: 'exceed_context_size_error',
        n_prompt_tokens: used,
        n_ctx: limit,
      };
    case 'openrouter':
      return {
        message: `This endpoint's maximum context length is ${limit} tokens. However, you requested about ${used} tokens (${used} of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
        code: 400,
      };
  }
}

function statusBody(reply: ErrorReply, { model, apiKey }: ErrorContext): JsonObject {
  const wait = (reply.retryAfterMs ?? (reply.retryAfterSeconds ?? 20) * 1000) / 1000;
  switch (reply.status) {
    case 401:
      return fields(
        `Incorrect API key provided: ${apiKey.slice(0, 3)}***${apiKey.slice(-4)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
        'invalid_request_error',
        'invalid_api_key',
      );
    case 402:
      return { message: 'Insufficient credits. Add more using https://openrouter.ai/settings/credits', code: 402 };
    case 403:
      return fields(
        'Country, region, or territory not supported',
        'request_forbidden',
        'unsupported_country_region_territory',
      );
    case 404:
      return fields(
        `The model \`${model}\` does not exist or you do not have access to it.`,
        'invalid_request_error',
        'model_not_found',
      );
    case 413:
      return fields('Maximum content size limit (26214400) exceeded (26477218 bytes read)', 'server_error', null);
    case 429:
      return fields(
        `Rate limit reached for ${model} in organization org-precis on tokens per min (TPM): Limit 30000, Used 28512, Requested 4200. Please try again in ${wait}s. Visit https://platform.openai.com/account/rate-limits to learn more.`,
        'tokens',
        'rate_limit_exceeded',
      );
    case 503:
      return fields('The engine is currently overloaded, please try again later', 'server_error', null);
    case 529:
      return fields('Overloaded', 'overloaded_error', null);
    default:
      return reply.status >= 500
        ? fields('The server had an error while processing your request. Sorry about that!', 'server_error', null)
        : fields(`The request failed with status ${reply.status}.`, 'invalid_request_error', null);
  }
}

function fields(message: string, type: string, code: string | null): JsonObject {
  return { message, type, param: null, code };
}
