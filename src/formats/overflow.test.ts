import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../test/work/cpu-time.ts';
import { OVERFLOW_PATTERNS, readOverflow } from './overflow.ts';

const TOO_LONG: readonly (readonly [by: string, text: string, limit: number | null])[] = [
  ['Anthropic', 'prompt is too long: 213462 tokens > 200000 maximum', 200_000],
  [
    'Anthropic',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    200_000,
  ],
  [
    'Anthropic',
    '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    null,
  ],
  [
    'OpenAI',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130221 tokens. Please reduce the length of the messages.",
    128_000,
  ],
  ['OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.', null],
  ['OpenAI', '{"error":{"message":"Too long","code":"context_length_exceeded"}}', null],
  [
    'OpenAI',
    'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40231. The input or output tokens must be reduced in order to run successfully.',
    null,
  ],
  [
    'Azure',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300331 tokens. Please reduce the length of the messages.',
    272_000,
  ],
  [
    'Azure',
    "This model's maximum context length is 8192 tokens, however you requested 10346 tokens (10346 in your prompt; 5 for the completion). Please reduce your prompt; or completion length.",
    8192,
  ],
  ['Google', 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', 1_048_575],
  ['Google', 'The input token count exceeds the maximum number of tokens allowed 1048576.', 1_048_576],
  [
    'Mistral',
    'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    32_768,
  ],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
  [
    'DeepSeek',
    "This model's maximum context length is 131072 tokens. However, you requested 138320 tokens (134224 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.",
    131_072,
  ],
  ['Groq', 'Please reduce the length of the messages or completion.', null],
  [
    'Groq',
    'Request too large for model `llama-3.1-8b-instant` in organization `org_x` on tokens per minute (TPM): Limit 6000, Requested 7423, please reduce your message size and try again.',
    null,
  ],
  ['Bedrock', 'Input is too long for requested model.', null],
  ['Bedrock', '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 11279', 8192],
  [
    'Bedrock',
    'The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
    null,
  ],
  [
    'OpenRouter',
    "This endpoint's maximum context length is 200000 tokens. However, you requested about 243216 tokens (200216 of text input, 43000 in the output).",
    200_000,
  ],
  ['Ollama', 'prompt too long; exceeded max context length by 4 tokens', null],
  ['Ollama', 'the input length exceeds the context length', null],
  [
    'vLLM',
    "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
    4096,
  ],
  ['vLLM', 'The decoder prompt (length 9000) is longer than the maximum model length of 8192.', 8192],
  [
    'vLLM',
    "You passed 9000 input tokens and requested 10 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 8182 tokens. Please reduce the length of the input prompt.",
    8192,
  ],
  ['llama.cpp', 'request (10240 tokens) exceeds the available context size (8192 tokens), try increasing it', 8192],
  [
    'llama.cpp',
    '{"error":{"code":400,"message":"too long","type":"exceed_context_size_error","n_prompt_tokens":10240,"n_ctx":8192}}',
    8192,
  ],
  [
    'llama.cpp',
    'the request exceeds the available context size. try increasing the context size or enable context shift',
    null,
  ],
  [
    'LM Studio',
    'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.',
    32_768,
  ],
  [
    'LM Studio',
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    4096,
  ],
  ['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.', null],
  ['GitHub Copilot', 'prompt token count of 135000 exceeds the limit of 128000', 128_000],
  ['Moonshot', 'Your request exceeded model token limit: 262144 (requested: 291351)', 262_144],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)', null],
  ['Alibaba', 'Range of input length should be [1, 129024]', 129_024],
];

describe('an overflow', () => {
  test.each(TOO_LONG)('of %s: %s', (_by, text, limit) => {
    expect(readOverflow(text)).toEqual({ isOverflow: true, limit });
  });

  test('is read from numbers with separators, and whatever the case', () => {
    expect(readOverflow('PROMPT IS TOO LONG: 213,462 tokens > 200,000 maximum').limit).toBe(200_000);
  });

  test('of every provider that must be known is in the table', () => {
    const known = new Set(OVERFLOW_PATTERNS.flatMap(({ by }) => by));
    const wanted =
      'OpenAI Anthropic Google Mistral xAI DeepSeek Groq Bedrock Azure OpenRouter Ollama vLLM llama.cpp LM_Studio';
    for (const provider of wanted.split(' ')) expect(known).toContain(provider.replace('_', ' '));
  });
});

test.each([
  // Bedrock's and others' way of saying that requests come too fast.
  'Too many tokens, please wait before trying again.',
  'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.',
  'Incorrect API key provided.',
  'max_tokens is too large: 200000. This model supports at most 16384 completion tokens.',
  'The model `gpt-9` does not exist',
  'Internal server error',
  '',
])('no overflow: %s', (text) => {
  expect(readOverflow(text)).toEqual({ isOverflow: false, limit: null });
});

test('words far inside a body are the transcript, not the verdict', () => {
  expect(readOverflow(`${'x'.repeat(10_000)} prompt is too long`).isOverflow).toBe(false);
});

test('a long text takes no time', async () => {
  const text = 'exceed_context_size_error input token count '.repeat(100_000);
  expect(await cpuMsOf(() => readOverflow(text))).toBeLessThan(200);
});
