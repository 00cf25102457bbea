import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Format } from '../../core/format.ts';
import { aiSdkWire } from './ai-sdk.ts';
import {
  type AssistantEntry,
  type Call,
  type Entry,
  type Reasoning,
  splitPrompt,
  type ToolEntry,
  type WireObject,
} from './entry.ts';
import { type BuiltContents, geminiWire } from './gemini.ts';
import { langChainWire } from './langchain.ts';
import { type BuiltInput, responsesWire } from './responses.ts';

export type { WireObject } from './entry.ts';
export type { BuiltContents } from './gemini.ts';
export type { BuiltInput } from './responses.ts';

/** The wire formats a builder can write. */
export type BuildFormat = 'openai-chat' | 'anthropic' | 'openai-responses' | 'gemini' | 'ai-sdk' | 'langchain';

type Built = readonly WireObject[] | BuiltRequest | BuiltInput | BuiltContents;

/** What an Anthropic builder gives: the part of a request that holds the conversation. */
export interface BuiltRequest {
  readonly system?: string;
  readonly messages: readonly WireObject[];
}

export interface CallOptions {
  /** Id of the call. @default `call_1`, `call_2`, … */
  readonly id?: string;
}

export interface ResultOptions {
  /** Id of the call it answers. @default the oldest call without a result */
  readonly of?: string;
  /** The tool says that it failed. OpenAI chat and Responses have no field for that, so the text must say so there. @default false */
  readonly failed?: boolean;
}

export interface ReasoningOptions {
  /** Binds the reasoning to the messages before it, as a provider does that signs it. @default no signature */
  readonly signature?: string;
}

/** Writes a conversation message by message. Every method gives a new builder, so a beginning can be shared by many tests. */
export interface Builder<Wire> {
  system(text: string): Builder<Wire>;
  user(text: string): Builder<Wire>;
  /** What the assistant says. Calls that follow belong to the same message. */
  assistant(text: string): Builder<Wire>;
  /** What the assistant thinks before it says or does the next thing. */
  reasoning(text: string, options?: ReasoningOptions): Builder<Wire>;
  /** Calls that directly follow each other are parallel calls of one message. Arguments given as text are sent as they are. */
  call(tool: string, args?: object | string, options?: CallOptions): Builder<Wire>;
  result(text: string, options?: ResultOptions): Builder<Wire>;
  /** The value as the provider's API takes it. */
  done(): Wire;
  /** The same, read by its format. Throws when the format had to mend something: a test should say what it means. */
  decode(format: Format): Conversation;
}

/**
 * A short way to write down a conversation, for tests and examples.
 *
 * @example
 * ```ts
 * const messages = build()
 *   .system('You are a careful engineer.')
 *   .user('Why does the build fail? Do not touch the lock file.')
 *   .call('read', { path: 'package.json' })
 *   .call('bash', { command: 'npm test' })
 *   .result('{ "name": "shop" }')
 *   .result('1 test failed')
 *   .assistant('A test fails.')
 *   .done();
 * const conversation = build('anthropic').user('Hello.').decode(anthropic);
 * ```
 */
export function build(format?: 'openai-chat' | 'ai-sdk' | 'langchain'): Builder<readonly WireObject[]>;
export function build(format: 'anthropic'): Builder<BuiltRequest>;
export function build(format: 'openai-responses'): Builder<BuiltInput>;
export function build(format: 'gemini'): Builder<BuiltContents>;
export function build(format: BuildFormat): Builder<Built>;
export function build(format: BuildFormat = 'openai-chat'): Builder<Built> {
  return builder(format, []);
}

const WRITERS: Readonly<Record<BuildFormat, (entries: readonly Entry[]) => Built>> = {
  'openai-chat': chatWire,
  anthropic: anthropicWire,
  'openai-responses': responsesWire,
  gemini: geminiWire,
  'ai-sdk': aiSdkWire,
  langchain: langChainWire,
};

function builder(format: BuildFormat, entries: readonly Entry[]): Builder<Built> {
  const add = (entry: Entry): Builder<Built> => builder(format, [...entries, entry]);
  const last = entries.at(-1);
  /** The assistant message that is still being written, taken off the list, or a new one. */
  const speaking = (goesOn: (entry: AssistantEntry) => boolean, change: Partial<AssistantEntry>) =>
    last?.role === 'assistant' && goesOn(last)
      ? builder(format, [...entries.slice(0, -1), { ...last, ...change }])
      : add({ role: 'assistant', text: null, reasoning: null, calls: [], ...change });
  const self: Builder<Built> = {
    system: (text) => add({ role: 'system', text }),
    user: (text) => add({ role: 'user', text }),
    assistant: (text) => speaking((entry) => entry.text === null && entry.calls.length === 0, { text }),
    reasoning: (text, options = {}) =>
      add({
        role: 'assistant',
        text: null,
        reasoning: { text, signature: options.signature ?? null },
        calls: [],
      }),
    call: (tool, args = {}, options = {}) => {
      const id = options.id ?? `call_${1 + entries.reduce((sum, entry) => sum + callsOf(entry).length, 0)}`;
      const before = last === undefined ? [] : callsOf(last);
      return speaking(() => true, { calls: [...before, { id, tool, args }] });
    },
    result: (text, options = {}) => {
      const open = openCalls(entries);
      const id = options.of ?? open[0];
      if (id === undefined) throw new Error('Expected a call without a result before `result()`, found none');
      if (!open.includes(id)) throw new Error(`Expected \`of\` to name a call without a result, got \`${id}\``);
      return add({ role: 'tool', id, text, failed: options.failed === true });
    },
    done: () => WRITERS[format](entries),
    decode: (decoder) => {
      if (decoder.id !== format) throw new Error(`Expected the format \`${format}\`, got \`${decoder.id}\``);
      const { conversation, notes } = decoder.decode(WRITERS[format](entries));
      if (notes.length > 0) throw new Error(`The conversation is not sound: ${notes[0]?.text}`);
      return conversation;
    },
  };
  return self;
}

function callsOf(entry: Entry): readonly Call[] {
  return entry.role === 'assistant' ? entry.calls : [];
}

/** Ids of the newest calls that still wait for their result, oldest first. */
function openCalls(entries: readonly Entry[]): readonly string[] {
  const from = entries.findLastIndex((entry) => entry.role === 'assistant');
  const caller = entries[from];
  const answered = new Set(entries.slice(from).flatMap((entry) => (entry.role === 'tool' ? [entry.id] : [])));
  return caller === undefined
    ? []
    : callsOf(caller)
        .map((call) => call.id)
        .filter((id) => !answered.has(id));
}

function chatWire(entries: readonly Entry[]): readonly WireObject[] {
  return entries.map((entry): WireObject => {
    switch (entry.role) {
      case 'system':
      case 'user':
        return { role: entry.role, content: entry.text };
      case 'tool':
        return { role: 'tool', tool_call_id: entry.id, content: entry.text };
      case 'assistant':
        return {
          role: 'assistant',
          content: entry.text,
          ...chatReasoning(entry.reasoning),
          ...(entry.calls.length === 0 ? {} : { tool_calls: entry.calls.map(chatCall) }),
        };
    }
  });
}

function chatReasoning(reasoning: Reasoning | null): WireObject {
  if (reasoning === null) return {};
  const { text, signature } = reasoning;
  return signature === null
    ? { reasoning_content: text }
    : { reasoning_details: [{ type: 'reasoning.text', text, signature }] };
}

function chatCall({ id, tool, args }: Call): WireObject {
  return {
    id,
    type: 'function',
    function: { name: tool, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

/** Leading system texts are the system prompt; results that follow each other stand in one user message. */
function anthropicWire(entries: readonly Entry[]): BuiltRequest {
  const { prompt: system, rest } = splitPrompt(entries);
  const messages: WireObject[] = [];
  let results: WireObject[] = [];
  for (const entry of rest) {
    if (entry.role === 'tool') {
      if (results.length === 0) {
        results = [];
        messages.push({ role: 'user', content: results });
      }
      results.push(anthropicResult(entry));
      continue;
    }
    results = [];
    messages.push(entry.role === 'assistant' ? anthropicAssistant(entry) : { role: entry.role, content: entry.text });
  }
  return { ...(system === '' ? {} : { system }), messages };
}

function anthropicResult(entry: ToolEntry): WireObject {
  return {
    type: 'tool_result',
    tool_use_id: entry.id,
    content: entry.text,
    ...(entry.failed ? { is_error: true } : {}),
  };
}

function anthropicAssistant({ text, reasoning, calls }: AssistantEntry): WireObject {
  return {
    role: 'assistant',
    content: [
      ...(reasoning === null
        ? []
        : [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.signature ?? '' }]),
      ...(text === null ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: inputOf(args) })),
    ],
  };
}

function inputOf(args: object | string): unknown {
  return typeof args === 'string' ? (JSON.parse(args) as unknown) : args;
}
