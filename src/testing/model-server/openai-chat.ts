import type { FinishReason } from '../../core/model.ts';
import { openaiError } from './openai-errors.ts';
import { CREATED, type Frame, type JsonObject, readMessages, type Wire, type WireAnswer } from './wire.ts';

/** `POST /v1/chat/completions` of OpenAI and its many imitators. */
export const openaiChatWire: Wire = {
  path: '/v1/chat/completions',
  headers: { 'x-request-id': 'req_precis', 'openai-processing-ms': '12' },
  read: (body) => readMessages(body['messages']),
  whole,
  stream,
  error: (reply, context) => openaiError(reply, context, 'chat'),
  errorFrames: ({ body }) => [dataOf(body)],
};

const CALL_ID = 'call_precis_1';

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-call': 'tool_calls',
  other: 'other',
};

function whole(answer: WireAnswer): JsonObject {
  const call = answer.toolCall;
  const text = answer.chunks.join('');
  const message = {
    role: 'assistant',
    content: call === null ? text : null,
    refusal: null,
    annotations: [],
    ...(call === null
      ? {}
      : {
          tool_calls: [
            { id: CALL_ID, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } },
          ],
        }),
  };
  return {
    ...envelope(answer, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: REASONS[answer.finish] }],
    usage: usage(answer),
  };
}

function* stream(answer: WireAnswer): Generator<Frame> {
  const chunk = (delta: JsonObject, finish: string | null): string =>
    dataOf({
      ...envelope(answer, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(answer.includeUsage ? { usage: null } : {}),
    });
  const call = answer.toolCall;
  if (call === null) {
    yield { part: 'open', text: chunk({ role: 'assistant', content: '', refusal: null }, null) };
    for (const content of answer.chunks) yield { part: 'delta', text: chunk({ content }, null) };
  } else {
    const opening = { index: 0, id: CALL_ID, type: 'function', function: { name: call.name, arguments: '' } };
    yield { part: 'open', text: chunk({ role: 'assistant', content: null, tool_calls: [opening] }, null) };
    const args = { index: 0, function: { arguments: JSON.stringify(call.args) } };
    yield { part: 'delta', text: chunk({ tool_calls: [args] }, null) };
  }
  yield { part: 'close', text: chunk({}, REASONS[answer.finish]) };
  if (answer.includeUsage) {
    const last = { ...envelope(answer, 'chat.completion.chunk'), choices: [], usage: usage(answer) };
    yield { part: 'close', text: dataOf(last) };
  }
  yield { part: 'close', text: 'data: [DONE]\n\n' };
}

function envelope({ model }: WireAnswer, object: string): JsonObject {
  return {
    id: 'chatcmpl-precis',
    object,
    created: CREATED,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  };
}

function usage({ inputTokens, outputTokens, cachedInputTokens }: WireAnswer): JsonObject {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

function dataOf(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
