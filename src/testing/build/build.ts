import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Format } from '../../core/format.ts';
import { writeAiSdk } from './ai-sdk.ts';
import { type BuiltRequest, writeAnthropic } from './anthropic.ts';
import type { AssistantEntry, Call, Entry, WireObject } from './entry.ts';
import { type BuiltContents, writeGemini } from './gemini.ts';
import { writeLangChain } from './langchain.ts';
import { writeChat } from './openai-chat.ts';
import { type BuiltInput, writeResponses } from './openai-responses.ts';

export type { BuiltRequest } from './anthropic.ts';
export type { WireObject } from './entry.ts';
export type { BuiltContents } from './gemini.ts';
export type { BuiltInput } from './openai-responses.ts';

/** The wire formats a builder can write. */
export type BuildFormat = 'openai-chat' | 'anthropic' | 'openai-responses' | 'gemini' | 'ai-sdk' | 'langchain';

type Built = readonly WireObject[] | BuiltRequest | BuiltInput | BuiltContents;

/** Options of a call. */
export interface CallOptions {
  /** Id of the call. @default `call_1`, `call_2`, … */
  readonly id?: string;
}

/** Options of a result. */
export interface ResultOptions {
  /** Id of the call it answers. @default the oldest call without a result */
  readonly of?: string;
  /** True when the tool failed. OpenAI chat and Responses have no field for that, so there the text must say so. @default false */
  readonly failed?: boolean;
}

/** Options of reasoning. */
export interface ReasoningOptions {
  /** A provider's signature, which binds the reasoning to the messages before it. @default no signature */
  readonly signature?: string;
}

/** Writes a conversation message by message. Every method returns a new builder, so many tests can share a beginning. */
export interface Builder<Wire> {
  /** Adds a system message. Leading ones become the prompt in formats that keep it in a field of its own. */
  system(text: string): Builder<Wire>;
  /** Adds a user message. */
  user(text: string): Builder<Wire>;
  /** Adds an answer. Calls that follow belong to the same message. */
  assistant(text: string): Builder<Wire>;
  /** Adds reasoning before the next answer or call, in the same message. */
  reasoning(text: string, options?: ReasoningOptions): Builder<Wire>;
  /** Adds a call. Consecutive calls are parallel calls of one message. Arguments given as text are sent as they are. */
  call(tool: string, args?: object | string, options?: CallOptions): Builder<Wire>;
  /** Adds the result of a call. Throws when no call waits for one. */
  result(text: string, options?: ResultOptions): Builder<Wire>;
  /** The value that the provider's API takes. */
  done(): Wire;
  /** The same value, decoded by its format. Throws when the format had to repair it, because a test should write what it means. */
  decode(format: Format): Conversation;
}

/**
 * Starts a builder: a short way to write a conversation, for tests and examples.
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
  'openai-chat': writeChat,
  anthropic: writeAnthropic,
  'openai-responses': writeResponses,
  gemini: writeGemini,
  'ai-sdk': writeAiSdk,
  langchain: writeLangChain,
};

function builder(format: BuildFormat, entries: readonly Entry[]): Builder<Built> {
  const add = (entry: Entry): Builder<Built> => builder(format, [...entries, entry]);
  const last = entries.at(-1);
  /** Continues the last assistant message, or adds a new one. */
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

/** Ids of the newest calls that still wait for a result, oldest first. */
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
