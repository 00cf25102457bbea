/** Tells whether an error means that the request exceeded the model's context window. */
export interface Overflow {
  /** True when the text matches the wording of a known provider. */
  readonly isOverflow: boolean;
  /** Tokens the provider says it accepts; null when it names none, or when the number it names is not a context window. */
  readonly limit: number | null;
}

/** One wording. A group named `limit` holds the window. Above each pattern stand the answers of real providers. */
interface OverflowPattern {
  /** Providers that use this wording. */
  readonly by: readonly string[];
  readonly pattern: RegExp;
}

/** Numbers as providers write them: `200000`, `200,000`. */
const N = String.raw`\d[\d,]{0,15}`;

/** The first match decides, so patterns that name a limit come first. Every pattern is bounded, because an error may carry much of the request. */
export const OVERFLOW_PATTERNS: readonly OverflowPattern[] = [
  // Anthropic: prompt is too long: 213462 tokens > 200000 maximum
  { by: ['Anthropic', 'Bedrock'], pattern: say`prompt is too long: ${N} tokens > (?<limit>${N}) maximum` },
  // Anthropic: input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or
  // `max_tokens` and try again
  { by: ['Anthropic'], pattern: say`exceed context limit: ${N} \+ ${N} > (?<limit>${N})` },
  // vLLM: 'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens
  // and your request has 2104 input tokens (2000 > 4096 - 2104).
  // OpenAI: This model's maximum context length is 128000 tokens. However, your messages resulted in 130221 tokens.
  // Please reduce the length of the messages.
  // Azure: This model's maximum context length is 8192 tokens, however you requested 10346 tokens (10346 in your prompt; 5
  // for the completion). Please reduce your prompt; or completion length.
  // DeepSeek: This model's maximum context length is 131072 tokens. However, you requested 138320 tokens (134224 in the
  // messages, 4096 in the completion). Please reduce the length of the messages or completion.
  // OpenRouter: This endpoint's maximum context length is 200000 tokens. However, you requested about 243216 tokens (200216
  // of text input, 43000 in the output).
  {
    by: ['OpenAI', 'Azure', 'DeepSeek', 'OpenRouter', 'vLLM'],
    pattern: say`maximum context length is (?<limit>${N}) tokens`,
  },
  // OpenAI, Azure: Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300331 tokens.
  // Please reduce the length of the messages.
  { by: ['OpenAI', 'Azure'], pattern: say`tokens exceed the configured limit of (?<limit>${N})` },
  // Google: The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).
  // Google: The input token count exceeds the maximum number of tokens allowed 1048576.
  {
    by: ['Google'],
    pattern: say`input token count .{0,30}exceeds the maximum number of tokens allowed \(?(?<limit>${N})`,
  },
  // Mistral: Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length
  { by: ['Mistral'], pattern: say`too large for model with (?<limit>${N}) maximum context length` },
  // xAI: This model's maximum prompt length is 131072 but the request contains 537812 tokens.
  { by: ['xAI'], pattern: say`maximum prompt length is (?<limit>${N})` },
  // Groq's neighbour Cerebras: Please reduce the length of the messages or completion. Current length is 12000 while limit
  // is 8192
  { by: ['Cerebras'], pattern: say`current length is ${N} while limit is (?<limit>${N})` },
  // Bedrock: Too many input tokens. Max input tokens: 8192, request input token count: 11279
  { by: ['Bedrock'], pattern: say`too many input tokens\. max input tokens: (?<limit>${N})` },
  // vLLM: The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that `max_model_len`
  // is no smaller than the number of text tokens.
  { by: ['vLLM'], pattern: say`longer than the maximum model length of (?<limit>${N})` },
  // vLLM: You passed 9000 input tokens and requested 10 output tokens. However, the model's context length is only 8192
  // tokens, resulting in a maximum input length of 8182 tokens. Please reduce the length of the input prompt.
  { by: ['vLLM'], pattern: say`model's context length is only (?<limit>${N}) tokens` },
  // llama.cpp: request (10240 tokens) exceeds the available context size (8192 tokens), try increasing it
  { by: ['llama.cpp'], pattern: say`exceeds the available context size \((?<limit>${N}) tokens\)` },
  // llama.cpp: {"error":{"code":400,"message":"…","type":"exceed_context_size_error","n_prompt_tokens":10240,"n_ctx":8192}}
  {
    by: ['llama.cpp'],
    pattern: say`exceed_context_size_error(?:.{0,200}?"n_ctx"\s?:\s?(?<limit>${N}))?`,
  },
  // LM Studio: Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context
  // length of only 32768 tokens, which is not enough. Try to load the model with a larger context length, or provide a
  // shorter input.
  { by: ['LM Studio'], pattern: say`loaded with (?:a )?context length of only (?<limit>${N}) tokens` },
  // LM Studio: The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>=
  // n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.
  {
    by: ['LM Studio'],
    pattern: say`greater than the context length(?: \(n_keep: ?${N} ?>= ?n_ctx: ?(?<limit>${N})\))?`,
  },
  // LM Studio: Reached context length of 4096 tokens with model (arch: llama) that does not currently support mid-generation
  // context overflow.
  { by: ['LM Studio'], pattern: say`reached context length of (?<limit>${N}) tokens` },
  // GitHub Copilot: prompt token count of 135000 exceeds the limit of 128000
  { by: ['GitHub Copilot'], pattern: say`token count of ${N} exceeds the limit of (?<limit>${N})` },
  // Moonshot: Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)
  { by: ['Moonshot'], pattern: say`exceeded model token limit: (?<limit>${N})` },
  // Alibaba: Range of input length should be [1, 129024]
  { by: ['Alibaba'], pattern: say`range of input length should be \[1, ?(?<limit>${N})\]` },
  // Cohere: too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.
  { by: ['Cohere'], pattern: say`number of tokens in the prompt cannot exceed (?<limit>${N})` },
  // Text Generation Inference: `inputs` must have less than 4096 tokens. Given: 5000
  { by: ['Text Generation Inference'], pattern: say`inputs.{0,2} must have less than (?<limit>${N}) tokens` },

  // OpenAI Responses: Your input exceeds the context window of this model. Please adjust your input and try again.
  { by: ['OpenAI', 'Azure'], pattern: say`exceeds the context window` },
  // OpenAI, Groq, as the code next to the message: context_length_exceeded
  // LiteLLM: ContextWindowExceededError
  { by: ['OpenAI', 'Azure', 'Groq'], pattern: say`context[_ ]?(?:length|window)[_ ]?exceeded` },
  // Groq: Please reduce the length of the messages or completion.
  { by: ['Groq'], pattern: say`reduce the length of the (?:messages|prompt|input)` },
  // Groq: Request too large for model `llama-3.1-8b-instant` in organization `org_…` service tier `on_demand` on tokens per
  // minute (TPM): Limit 6000, Requested 7423, please reduce your message size and try again.
  // OpenAI: Request too large for gpt-4o in organization org-… on tokens per min (TPM): Limit 30000, Requested 40231. The
  // input or output tokens must be reduced in order to run successfully.
  // No waiting helps against these, only a smaller request; but the number is a rate and not a window.
  { by: ['Groq', 'OpenAI'], pattern: say`request too large for ` },
  // Anthropic, 413: {"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}
  {
    by: ['Anthropic'],
    pattern: say`request_too_large|request exceeds the maximum (?:allowed )?(?:size|number of bytes)`,
  },
  // Anthropic without numbers: prompt is too long
  { by: ['Anthropic', 'Bedrock'], pattern: say`prompt is too long` },
  // Bedrock: Input is too long for requested model.
  { by: ['Bedrock'], pattern: say`input is too long for (?:the )?requested model` },
  // Bedrock: The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length.
  // Please update the input to try again.
  { by: ['Bedrock'], pattern: say`number of input tokens exceeds maximum length` },
  // Ollama: prompt too long; exceeded max context length by 4 tokens
  // Ollama: the input length exceeds the context length
  {
    by: ['Ollama'],
    pattern: say`exceeded (?:max )?context length|input length exceeds (?:the |maximum )?context length`,
  },
  // llama.cpp: the request exceeds the available context size. try increasing the context size or enable context shift
  // llama.cpp: Context size has been exceeded.
  { by: ['llama.cpp'], pattern: say`exceeds the available context size|context size has been exceeded` },
  // MiniMax: invalid params, context window exceeds limit (2013)
  { by: ['MiniMax'], pattern: say`context window exceeds limit` },
];

/** A longer error text carries the request, and words of a transcript prove nothing. */
const MOST_CHARACTERS = 4_000;

/** Looks for an overflow in an error's message or in the body of the response. */
export function readOverflow(text: string): Overflow {
  const start = text.slice(0, MOST_CHARACTERS);
  for (const { pattern } of OVERFLOW_PATTERNS) {
    const match = pattern.exec(start);
    if (match !== null) return { isOverflow: true, limit: limitOf(match.groups?.['limit']) };
  }
  return { isOverflow: false, limit: null };
}

function limitOf(text: string | undefined): number | null {
  const value = Number((text ?? '').replaceAll(',', ''));
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

function say(strings: TemplateStringsArray, ...values: readonly string[]): RegExp {
  return new RegExp(String.raw(strings, ...values), 'is');
}
