import type { SummariserPlace, WireCall, WireMessage } from '../types.ts';
import { argumentsOf, toolNames } from './call-arguments.ts';

/** Both libraries of pi share these shapes; only what is used here is named. */

export interface PiText {
  readonly type: 'text';
  readonly text: string;
}

export interface PiCall {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type PiMessage =
  | { readonly role: 'system'; readonly content: string; readonly timestamp: number }
  | { readonly role: 'user'; readonly content: readonly PiText[]; readonly timestamp: number }
  | {
      readonly role: 'assistant';
      readonly content: readonly (PiText | PiCall)[];
      readonly api: string;
      readonly provider: string;
      readonly model: string;
      readonly usage: PiUsage;
      readonly stopReason: 'stop' | 'toolUse';
      readonly timestamp: number;
    }
  | {
      readonly role: 'toolResult';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly content: readonly PiText[];
      readonly isError: boolean;
      readonly timestamp: number;
    };

export interface PiUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
  readonly cost: Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'total', number>>;
}

export interface PiCompactionSettings {
  readonly enabled: boolean;
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
}

export interface PiModel {
  readonly id: string;
  readonly name: string;
  readonly api: 'openai-completions';
  readonly provider: string;
  readonly baseUrl: string;
  readonly reasoning: boolean;
  readonly input: readonly string[];
  readonly cost: Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>>;
  readonly contextWindow: number;
  readonly maxTokens: number;
}

/** A message as pi's own client puts it into a request. */
export interface PiParam {
  readonly role: WireMessage['role'];
  readonly content?: string | null | readonly PiText[];
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
}

export interface PiCompletions {
  convertMessages(
    model: PiModel,
    context: { readonly messages: readonly unknown[] },
    compat: Readonly<Record<string, never>>,
  ): readonly PiParam[];
}

/** The messages carry no usage; `runningUsage` adds what pi would have recorded. */
const NO_USAGE: PiUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** As somebody would enter an endpoint of his own in pi. */
export function piModel(place: SummariserPlace): PiModel {
  return {
    id: place.modelId,
    name: place.modelId,
    api: 'openai-completions',
    provider: 'bench',
    baseUrl: place.baseUrl,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: place.window,
    maxTokens: place.maxOutput,
  };
}

export function piMessages(messages: readonly WireMessage[], model: PiModel, timestamp: number): readonly PiMessage[] {
  const names = toolNames(messages);
  return messages.map((message): PiMessage => {
    const text = message.content ?? '';
    switch (message.role) {
      case 'system':
        return { role: 'system', content: text, timestamp };
      case 'user':
        return { role: 'user', content: textOf(text), timestamp };
      case 'assistant': {
        const calls = (message.tool_calls ?? []).map(callOf);
        return {
          role: 'assistant',
          content: [...textOf(text), ...calls],
          api: model.api,
          provider: model.provider,
          model: model.id,
          usage: NO_USAGE,
          stopReason: calls.length > 0 ? 'toolUse' : 'stop',
          timestamp,
        };
      }
      case 'tool': {
        const toolCallId = message.tool_call_id ?? '';
        const toolName = names.get(toolCallId) ?? 'unknown';
        return { role: 'toolResult', toolCallId, toolName, content: textOf(text), isError: false, timestamp };
      }
    }
  });
}

/** What pi's client would send, with content as one text. */
export function wireOfPi(params: readonly PiParam[]): readonly WireMessage[] {
  return params.map(({ role, content = null, tool_calls: calls, tool_call_id: id }) => ({
    role,
    content: content === null || typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
    ...(calls === undefined ? {} : { tool_calls: calls }),
    ...(id === undefined ? {} : { tool_call_id: id }),
  }));
}

function textOf(text: string): readonly PiText[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function callOf(call: WireCall): PiCall {
  return { type: 'toolCall', id: call.id, name: call.function.name, arguments: argumentsOf(call) };
}
