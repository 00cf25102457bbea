import { openaiError } from './openai-errors.ts';
import {
  asObject,
  CREATED,
  eventOf,
  type Frame,
  type JsonObject,
  readMessages,
  type Wire,
  type WireAnswer,
  type WireError,
} from './wire.ts';

/** `POST /v1/responses` of OpenAI. */
export const openaiResponsesWire: Wire = {
  path: '/v1/responses',
  headers: { 'x-request-id': 'req_precis', 'openai-processing-ms': '12' },
  read: (body) => {
    const { instructions, prompt } = readMessages(body['input']);
    const given = body['instructions'];
    return { instructions: typeof given === 'string' ? `${given}\n${instructions}`.trim() : instructions, prompt };
  },
  whole: (answer) => responseOf(answer, 'ended'),
  stream,
  error: (reply, context) => openaiError(reply, context, 'responses'),
  errorFrames,
};

const MESSAGE_ID = 'msg_precis';
const RESPONSE_ID = 'resp_precis';

function* stream(answer: WireAnswer): Generator<Frame> {
  let sequence = 0;
  const frame = (part: Frame['part'], type: string, data: JsonObject): Frame => {
    const text = eventOf({ type, sequence_number: sequence, ...data });
    sequence += 1;
    return { part, text };
  };
  const item = itemOf(answer);
  yield frame('open', 'response.created', { response: responseOf(answer, 'running') });
  yield frame('open', 'response.in_progress', { response: responseOf(answer, 'running') });
  if (answer.toolCall === null) {
    const place = { item_id: MESSAGE_ID, output_index: 0, content_index: 0 };
    const text = answer.chunks.join('');
    const started = { id: MESSAGE_ID, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
    yield frame('open', 'response.output_item.added', { output_index: 0, item: started });
    yield frame('open', 'response.content_part.added', { ...place, part: partOf('') });
    for (const delta of answer.chunks) yield frame('delta', 'response.output_text.delta', { ...place, delta });
    yield frame('close', 'response.output_text.done', { ...place, text });
    yield frame('close', 'response.content_part.done', { ...place, part: partOf(text) });
  } else {
    const place = { item_id: item['id'], output_index: 0 };
    const args = item['arguments'];
    const started = { ...item, status: 'in_progress', arguments: '' };
    yield frame('open', 'response.output_item.added', { output_index: 0, item: started });
    yield frame('delta', 'response.function_call_arguments.delta', { ...place, delta: args });
    yield frame('close', 'response.function_call_arguments.done', { ...place, arguments: args });
  }
  yield frame('close', 'response.output_item.done', { output_index: 0, item });
  const end = incompleteOf(answer) === null ? 'response.completed' : 'response.incomplete';
  yield frame('close', end, { response: responseOf(answer, 'ended') });
}

/** Both events that the API sends: `error` first, then the failed response. */
function errorFrames({ body }: WireError, sequence: number): readonly string[] {
  const error = asObject(body['error']);
  const { code, message, type, param } = error;
  const failed = { id: RESPONSE_ID, object: 'response', created_at: CREATED, status: 'failed', usage: null };
  return [
    eventOf({ type: 'error', sequence_number: sequence, error: { type, code, message, param } }),
    eventOf({
      type: 'response.failed',
      sequence_number: sequence + 1,
      response: { ...failed, error: { code: code ?? 'server_error', message } },
    }),
  ];
}

function responseOf(answer: WireAnswer, state: 'running' | 'ended'): JsonObject {
  const incomplete = state === 'ended' ? incompleteOf(answer) : null;
  return {
    id: RESPONSE_ID,
    object: 'response',
    created_at: CREATED,
    status: state === 'running' ? 'in_progress' : incomplete === null ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: incomplete === null ? null : { reason: incomplete },
    instructions: null,
    model: answer.model,
    output: state === 'running' ? [] : [itemOf(answer)],
    parallel_tool_calls: true,
    service_tier: 'default',
    usage: state === 'running' ? null : usage(answer),
  };
}

function incompleteOf({ finish }: WireAnswer): string | null {
  if (finish === 'length') return 'max_output_tokens';
  if (finish === 'content-filter') return 'content_filter';
  return finish === 'other' ? 'other' : null;
}

function itemOf({ toolCall, chunks, finish }: WireAnswer): JsonObject {
  if (toolCall !== null) {
    const args = JSON.stringify(toolCall.args);
    const call = { id: 'fc_precis', call_id: 'call_precis_1', name: toolCall.name, arguments: args };
    return { ...call, type: 'function_call', status: 'completed' };
  }
  const status = finish === 'stop' ? 'completed' : 'incomplete';
  return { id: MESSAGE_ID, type: 'message', status, role: 'assistant', content: [partOf(chunks.join(''))] };
}

function partOf(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function usage({ inputTokens, outputTokens, cachedInputTokens }: WireAnswer): JsonObject {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
