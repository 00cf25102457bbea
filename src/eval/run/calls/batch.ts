import type { FinishReason } from '../../../core/model.ts';
import type { KeptAnswer, Missing } from './asker.ts';

/** Output tokens that an Anthropic request must allow explicitly. */
const MOST_OUTPUT_TOKENS = 4_096;

/** Writes a request as a line for OpenAI's batch API. Its id is the cache key, so that the answer finds its place. */
export function openaiLine({ key, model, instructions, prompt }: Missing): string {
  const body = {
    model: nameOf(model),
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: prompt },
    ],
  };
  return JSON.stringify({ custom_id: key, method: 'POST', url: '/v1/chat/completions', body });
}

/** Writes a request as a line for Anthropic's batch API. */
export function anthropicLine({ key, model, instructions, prompt }: Missing): string {
  const params = {
    model: nameOf(model),
    max_tokens: MOST_OUTPUT_TOKENS,
    system: instructions,
    messages: [{ role: 'user', content: prompt }],
  };
  return JSON.stringify({ custom_id: key, params });
}

/** Returns the model name that the provider knows. */
function nameOf(model: string): string {
  return model.slice(model.indexOf('/') + 1);
}

/** One line of a batch's results after reading. */
export type BatchAnswer =
  | { readonly type: 'answer'; readonly key: string; readonly answer: KeptAnswer }
  /** The request failed at the provider, or its answer cannot be read. It is exported again. */
  | { readonly type: 'unusable'; readonly reason: string };

/** Reads one line of results: from OpenAI, from Anthropic, or `{"custom_id": …, "text": …}` from anywhere else. */
export function readBatchLine(line: string): BatchAnswer {
  const value = objectOf(parsed(line));
  const key = value?.['custom_id'];
  if (value === null || typeof key !== 'string' || !/^[0-9a-f]{16,64}$/.test(key))
    return { type: 'unusable', reason: 'expected a JSON object with the `custom_id` of an exported request' };
  const answer = plainAnswer(value) ?? openaiAnswer(value) ?? anthropicAnswer(value);
  if (answer === null || answer.text.trim() === '')
    return { type: 'unusable', reason: 'there is no answer in it: the request failed, expired or was refused' };
  return { type: 'answer', key, answer };
}

type Fields = Readonly<Record<string, unknown>>;

function plainAnswer(value: Fields): KeptAnswer | null {
  const { text, model } = value as { text?: unknown; model?: unknown };
  if (typeof text !== 'string') return null;
  return { text, finish: 'stop', usage: usageOf(value['usage']), model: typeof model === 'string' ? model : 'unknown' };
}

function openaiAnswer(value: Fields): KeptAnswer | null {
  const response = objectOf(value['response']);
  const body = objectOf(response?.['body']);
  const status = response?.['status_code'];
  if (body === null || (typeof status === 'number' && status >= 400)) return null;
  const choice = objectOf(listOf(body['choices'])[0]);
  const text = objectOf(choice?.['message'])?.['content'];
  if (typeof text !== 'string') return null;
  const finish = OPENAI_FINISH[String(choice?.['finish_reason'])] ?? 'stop';
  return { text, finish, usage: usageOf(body['usage']), model: String(body['model'] ?? 'unknown') };
}

function anthropicAnswer(value: Fields): KeptAnswer | null {
  const result = objectOf(value['result']);
  const message = objectOf(result?.['message']);
  if (message === null || result?.['type'] !== 'succeeded') return null;
  const text = listOf(message['content'])
    .map((block) => objectOf(block)?.['text'])
    .filter((each): each is string => typeof each === 'string')
    .join('');
  const finish = ANTHROPIC_FINISH[String(message['stop_reason'])] ?? 'stop';
  return { text, finish, usage: usageOf(message['usage']), model: String(message['model'] ?? 'unknown') };
}

const OPENAI_FINISH: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-call',
};
const ANTHROPIC_FINISH: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  refusal: 'content-filter',
  tool_use: 'tool-call',
};

function usageOf(given: unknown): KeptAnswer['usage'] {
  const usage = objectOf(given) ?? {};
  const count = (...names: readonly string[]): number | null => {
    const found = names.map((name) => usage[name]).find((each) => typeof each === 'number');
    return typeof found === 'number' ? found : null;
  };
  return {
    inputTokens: count('input_tokens', 'prompt_tokens'),
    outputTokens: count('output_tokens', 'completion_tokens'),
    cachedInputTokens: count('cache_read_input_tokens'),
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
