import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ask } from '../ask.ts';
import type { Arm, ArmSession, LoadedArm, Settings, SummariserPlace, WireMessage } from '../types.ts';
import { argumentsFrom } from './call-arguments.ts';
import { installedVersions } from './installed-version.ts';
import { countTokens } from './steps.ts';

const HOW =
  'Runs langchain’s `summarizationMiddleware` with `keep: { tokens }` and a trigger that always fires, and applies its update with the LangGraph reducer.';

export const langchainDefault: Arm = armOf('langchain', 'langchain', `${HOW} Everything else is at its defaults.`, {});

/** By default the summariser sees only the newest 4,000 tokens, which would say little about the rest. */
const LIFTED: Tuning = { trimTokensToSummarize: Number.MAX_SAFE_INTEGER };

export const langchainLifted: Arm = armOf(
  'langchain-lifted',
  'langchain, trim lifted',
  `${HOW} \`trimTokensToSummarize\` is lifted, so the summariser sees everything that is removed.`,
  LIFTED,
);

export const langchainExact: Arm = armOf(
  'langchain-exact',
  'langchain, trim lifted, exact counts',
  `${HOW} \`trimTokensToSummarize\` is lifted, and \`tokenCounter\` counts o200k tokens exactly.`,
  { ...LIFTED, tokenCounter: (messages) => countTokens(messages.map(fromLangchain)) },
);

function armOf(id: string, title: string, how: string, tuning: Tuning): Arm {
  return {
    id,
    title,
    how,
    packages: 'langchain',
    summarises: true,
    hasKnob: true,
    counting: tuning.tokenCounter === undefined ? 'estimate' : 'exact',
    load: (folder) => load(folder, tuning),
  };
}

async function load(folder: string, tuning: Tuning): Promise<LoadedArm> {
  // The three packages must be the same copies that langchain itself imports, or `instanceof` fails inside.
  const root = join(folder, 'node_modules', 'langchain', 'package.json');
  const find = createRequire(root);
  const at = (file: string): string => pathToFileURL(file).href;
  const { summarizationMiddleware } = (await import(at(join(root, '..', 'dist', 'index.js')))) as Langchain;
  const core = packageFolder(find.resolve('@langchain/core/messages'), 'core');
  const graph = packageFolder(find.resolve('@langchain/langgraph'), 'langgraph');
  const messages = (await import(at(join(core, 'dist', 'messages', 'index.js')))) as Messages;
  const { messagesStateReducer } = (await import(at(join(graph, 'dist', 'index.js')))) as Graph;
  return {
    versions: await installedVersions(folder, ['langchain', '@langchain/core', '@langchain/langgraph']),
    open: async (settings) =>
      openSession(settings, { summarizationMiddleware, messagesStateReducer, messages, tuning }),
  };
}

/** The resolved file may be the build for `require`; the one for `import` lies in the same package. */
function packageFolder(file: string, name: string): string {
  const mark = join('@langchain', name);
  return file.slice(0, file.lastIndexOf(mark) + mark.length);
}

interface Parts extends Langchain, Graph {
  readonly messages: Messages;
  readonly tuning: Tuning;
}

function openSession({ window, keep, model }: Settings, parts: Parts): ArmSession {
  const { summarizationMiddleware, messagesStateReducer, messages, tuning } = parts;
  // `createAgent` holds its system prompt outside of the state; a system message inside would go into the first summary.
  let system: readonly WireMessage[] = [];
  let state: LangchainMessage[] = [];
  const compacting = summarizationMiddleware({
    ...tuning,
    model: modelOf(model, messages),
    trigger: { messages: 1 },
    keep: { tokens: keep },
  });
  const counting = summarizationMiddleware({
    ...tuning,
    model: SILENT,
    trigger: { tokens: window },
    keep: { tokens: keep },
  });
  const run = ({ beforeModel }: Middleware): Promise<Update | undefined> => {
    const hook = typeof beforeModel === 'function' ? beforeModel : beforeModel.hook;
    return hook({ messages: state }, { context: {} });
  };
  return {
    append: async (added) => {
      system = [...system, ...added.filter(({ role }) => role === 'system')];
      const own = added.filter(({ role }) => role !== 'system').map((message) => toLangchain(message, messages));
      state = messagesStateReducer(state, own);
    },
    prepare: async () => {
      await run(counting);
    },
    compact: async () => {
      const update = await run(compacting);
      if (update === undefined) return 'skipped';
      state = messagesStateReducer(state, update.messages);
      return 'compacted';
    },
    view: () => [...system, ...state.map(fromLangchain)],
  };
}

/** For the turn that only counts: whatever it would write is thrown away. */
const SILENT: ChatModel = { invoke: () => Promise.reject(new Error('Nothing is summarised between two passes.')) };

/** Langchain has no client of its own in this installation; the middleware calls `invoke` and nothing else. */
function modelOf(place: SummariserPlace, { AIMessage }: Messages): ChatModel {
  return {
    invoke: async (prompt) => {
      const { text, finish } = await ask(place, [{ role: 'user', content: prompt }]);
      return new AIMessage({ content: text, response_metadata: { finish_reason: finish } });
    },
  };
}

export function toLangchain(
  message: WireMessage,
  { HumanMessage, AIMessage, ToolMessage }: Messages,
): LangchainMessage {
  const content = message.content ?? '';
  if (message.role === 'tool') return new ToolMessage({ content, tool_call_id: message.tool_call_id ?? '' });
  if (message.role !== 'assistant') return new HumanMessage({ content });
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => {
    return { id, name, args: argumentsFrom(args), type: 'tool_call' } as const;
  });
  return new AIMessage({ content, tool_calls: calls });
}

export function fromLangchain({ type, content, tool_calls = [], tool_call_id = '' }: LangchainMessage): WireMessage {
  if (type === 'tool') return { role: 'tool', tool_call_id, content };
  // The exact counter is also given the system message when there is one.
  if (type !== 'ai') return { role: type === 'system' ? 'system' : 'user', content };
  if (tool_calls.length === 0) return { role: 'assistant', content };
  const calls = tool_calls.map(({ id, name, args }) => {
    return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } } as const;
  });
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
}

/** As much of the packages as is used. */
interface Langchain {
  summarizationMiddleware(
    options: Tuning & {
      readonly model: ChatModel;
      readonly trigger: { readonly messages: number } | { readonly tokens: number };
      readonly keep: { readonly tokens: number };
    },
  ): Middleware;
}

interface Tuning {
  readonly trimTokensToSummarize?: number;
  readonly tokenCounter?: (messages: readonly LangchainMessage[]) => number;
}

interface Graph {
  messagesStateReducer(left: LangchainMessage[], right: LangchainMessage[]): LangchainMessage[];
}

interface Middleware {
  readonly beforeModel: Hook | { readonly hook: Hook };
}

type Hook = (
  state: { readonly messages: LangchainMessage[] },
  runtime: { readonly context: object },
) => Promise<Update | undefined>;

interface Update {
  readonly messages: LangchainMessage[];
}

interface ChatModel {
  invoke(prompt: string): Promise<LangchainMessage>;
}

type MessageClass = new (fields: Readonly<Record<string, unknown>>) => LangchainMessage;

export interface Messages {
  readonly HumanMessage: MessageClass;
  readonly AIMessage: MessageClass;
  readonly ToolMessage: MessageClass;
}

export interface LangchainMessage {
  readonly type: string;
  readonly content: string;
  readonly tool_calls?: readonly LangchainCall[];
  readonly tool_call_id?: string;
}

interface LangchainCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}
