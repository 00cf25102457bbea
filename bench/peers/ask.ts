import type { SummariserPlace } from './types.ts';

export interface AskedMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface Answered {
  readonly text: string;
  /** As the provider says it: `stop`, `length`, `content_filter`. */
  readonly finish: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** For peers whose model is a function that the caller hands in: one real request to the scripted summariser. Throws as a client would. */
export async function ask(
  place: SummariserPlace,
  messages: readonly AskedMessage[],
  options: { readonly maxTokens?: number; readonly signal?: AbortSignal } = {},
): Promise<Answered> {
  const response = await fetch(`${place.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${place.apiKey}` },
    body: JSON.stringify({
      model: place.modelId,
      messages,
      ...(options.maxTokens === undefined ? {} : { max_tokens: options.maxTokens }),
    }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const body = (await response.json()) as ChatBody;
  if (!response.ok) throw new Error(`${response.status} ${body.error?.message ?? 'without a message'}`);
  const choice = body.choices?.[0];
  return {
    text: choice?.message.content ?? '',
    finish: choice?.finish_reason ?? 'stop',
    promptTokens: body.usage?.prompt_tokens ?? 0,
    completionTokens: body.usage?.completion_tokens ?? 0,
  };
}

interface ChatBody {
  readonly choices?: readonly {
    readonly message: { readonly content: string | null };
    readonly finish_reason: string;
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly error?: { readonly message: string };
}
