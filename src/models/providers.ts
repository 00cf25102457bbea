import type { LanguageModel } from 'ai';
import { type BaseURLForm, baseURLOf } from './base-url.ts';

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A provider of models: how it is called, and which variables hold its key and address. */
export interface Provider {
  /** The part before the slash in `anthropic/claude-haiku-4-5`. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** Variables for the key; the first one set counts. */
  readonly keys: readonly string[];
  readonly needsKey: boolean;
  /** Variables for the address. */
  readonly addresses: readonly string[];
  /** Null when the user must give the address. */
  readonly defaultAddress: string | null;
  readonly form: BaseURLForm;
  /** True when it usually runs on the user's own machine, free of charge. */
  readonly isLocal: boolean;
  /** A model to start with. */
  readonly example: string;
  /** Loads the provider's package and makes the model. */
  load(name: string, access: Access): Promise<LanguageModel>;
}

/** Settings for calls to a provider. */
export interface Access {
  readonly apiKey: string | null;
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch | null;
}

const V1: BaseURLForm = { path: '/v1', complete: 'when-bare' };

const anthropic: Provider = {
  id: 'anthropic',
  title: 'Anthropic',
  keys: ['ANTHROPIC_API_KEY'],
  needsKey: true,
  addresses: ['ANTHROPIC_BASE_URL'],
  defaultAddress: 'https://api.anthropic.com/v1',
  // Anthropic's own tools take the address without the version, the AI SDK with it.
  form: { path: '/v1', complete: 'always' },
  isLocal: false,
  example: 'claude-haiku-4-5',
  load: async (name, access) => (await import('@ai-sdk/anthropic')).createAnthropic(settingsOf(access))(name),
};

const openai: Provider = {
  id: 'openai',
  title: 'OpenAI',
  keys: ['OPENAI_API_KEY'],
  needsKey: true,
  addresses: ['OPENAI_BASE_URL'],
  defaultAddress: 'https://api.openai.com/v1',
  form: V1,
  isLocal: false,
  example: 'gpt-5-mini',
  load: async (name, access) => {
    const provider = (await import('@ai-sdk/openai')).createOpenAI(settingsOf(access));
    // Some OpenAI models only speak Responses; most other servers only speak Chat Completions.
    return access.baseURL === openai.defaultAddress ? provider.responses(name) : provider.chat(name);
  },
};

const google: Provider = {
  id: 'google',
  title: 'Google',
  keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  needsKey: true,
  addresses: ['GOOGLE_GEMINI_BASE_URL'],
  defaultAddress: 'https://generativelanguage.googleapis.com/v1beta',
  form: { path: '/v1beta', complete: 'when-bare' },
  isLocal: false,
  example: 'gemini-3.5-flash',
  load: async (name, access) => (await import('@ai-sdk/google')).createGoogle(settingsOf(access))(name),
};

const compatible: Provider = openaiCompatible('compatible', 'Any OpenAI-compatible server', {
  keys: ['PRECIS_API_KEY'],
  addresses: ['PRECIS_BASE_URL'],
  example: 'NAME',
});

const ollama: Provider = openaiCompatible('ollama', 'Ollama', {
  addresses: ['OLLAMA_HOST'],
  defaultAddress: 'http://127.0.0.1:11434/v1',
  form: { ...V1, port: 11434 },
  isLocal: true,
  example: 'qwen3:8b',
});

/** Every provider that a name can begin with. */
export const PROVIDERS: readonly Provider[] = [
  anthropic,
  openai,
  google,
  hosted('openrouter', 'OpenRouter', {
    defaultAddress: 'https://openrouter.ai/api/v1',
    example: 'anthropic/claude-haiku-4.5',
  }),
  hosted('deepseek', 'DeepSeek', { defaultAddress: 'https://api.deepseek.com/v1', example: 'deepseek-chat' }),
  hosted('groq', 'Groq', { defaultAddress: 'https://api.groq.com/openai/v1', example: 'llama-3.3-70b-versatile' }),
  hosted('mistral', 'Mistral', { defaultAddress: 'https://api.mistral.ai/v1', example: 'mistral-small-latest' }),
  hosted('xai', 'xAI', { defaultAddress: 'https://api.x.ai/v1', example: 'grok-4.5' }),
  ollama,
  onThisMachine('lmstudio', 'LM Studio', 1234),
  onThisMachine('llamacpp', 'llama.cpp', 8080),
  onThisMachine('vllm', 'vLLM', 8000),
  compatible,
];

const ALIASES: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  gemini: 'google',
  'openai-compatible': 'compatible',
  'lm-studio': 'lmstudio',
  'llama.cpp': 'llamacpp',
};

export function findProvider(id: string): Provider | null {
  const wanted = id.toLowerCase();
  return PROVIDERS.find((provider) => provider.id === (ALIASES[wanted] ?? wanted)) ?? null;
}

/** Finds the first of these variables that is set and not blank. */
export function firstSet(
  names: readonly string[],
  env: Environment,
): { readonly name: string; readonly value: string } | null {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== '') return { name, value };
  }
  return null;
}

/** Returns the complete address of a provider; null when there is none, or it is not valid. */
export function addressOf(provider: Provider, env: Environment): string | null {
  const given = firstSet(provider.addresses, env)?.value;
  return given === undefined ? provider.defaultAddress : baseURLOf(given, provider.form);
}

function openaiCompatible(id: string, title: string, more: Partial<Provider>): Provider {
  return {
    id,
    title,
    keys: [],
    needsKey: false,
    addresses: [],
    defaultAddress: null,
    form: V1,
    isLocal: false,
    example: 'NAME',
    load: async (name, { apiKey, baseURL, fetch }) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const key = apiKey === null ? {} : { apiKey };
      const own = fetch === null ? {} : { fetch };
      return createOpenAICompatible({ name: id, baseURL, includeUsage: true, ...key, ...own })(name);
    },
    ...more,
  };
}

function hosted(id: string, title: string, more: Pick<Provider, 'defaultAddress' | 'example'>): Provider {
  return openaiCompatible(id, title, { keys: [`${id.toUpperCase()}_API_KEY`], needsKey: true, ...more });
}

function onThisMachine(id: string, title: string, port: number): Provider {
  return openaiCompatible(id, title, { defaultAddress: `http://127.0.0.1:${port}/v1`, isLocal: true });
}

function settingsOf({ apiKey, baseURL, fetch }: Access): {
  readonly apiKey: string;
  readonly baseURL: string;
  readonly fetch?: typeof globalThis.fetch;
} {
  return { apiKey: apiKey ?? '', baseURL, ...(fetch === null ? {} : { fetch }) };
}
