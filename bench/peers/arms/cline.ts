import type { Arm, ArmSession, Settings } from '../types.ts';
import { type ClineMessage, clineMessages, mergeResults, wireOfCline } from './cline-messages.ts';
import { importInstalled } from './import-installed.ts';
import { installedVersions } from './installed-version.ts';

export const clineBasic: Arm = {
  id: 'cline-basic',
  title: 'cline (basic)',
  how: 'Runs cline’s `createContextCompactionPrepareTurn` with strategy `basic`, which calls no model, on cline’s own session state. Mode `manual` forces the pass. `manualTargetRatio` is `keep` divided by cline’s own count (from 0.05 to 0.95). cline counts characters / 3. Every request cuts tool results over 8,000 characters, as cline’s message builder does.',
  packages: 'cline',
  summarises: false,
  hasKnob: true,
  counting: 'estimate',
  load: async (folder) => loadCline(folder, 'basic'),
};

export const clineAgentic: Arm = {
  id: 'cline-agentic',
  title: 'cline (agentic)',
  how: 'Runs cline’s `createContextCompactionPrepareTurn` with strategy `agentic` and its own HTTP client, on cline’s own session state. Mode `manual` forces the pass. `preserveRecentTokens` is `keep`; `manualTargetRatio` is `keep` divided by cline’s own count. cline counts characters / 3. Every request cuts tool results over 8,000 characters, as cline’s message builder does.',
  packages: 'cline',
  summarises: true,
  hasKnob: true,
  counting: 'estimate',
  load: async (folder) => loadCline(folder, 'agentic'),
};

type Strategy = 'basic' | 'agentic';

async function loadCline(folder: string, strategy: Strategy): ReturnType<Arm['load']> {
  // Its client warns on standard error about a key that cline itself sets; this is the switch that the warning names.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const peer: Peer = {
    ...(await importInstalled<Core>(folder, '@cline/core/dist/index.js')),
    ...(await importInstalled<Shared>(folder, '@cline/shared/dist/index.js')),
  };
  const versions = await installedVersions(folder, ['@cline/core', '@cline/llms']);
  return { versions, open: async (settings) => openSession(peer, strategy, settings) };
}

function openSession(peer: Peer, strategy: Strategy, { window, keep, model: place }: Settings): ArmSession {
  const config: Config = {
    providerId: 'openai-compatible',
    modelId: place.modelId,
    apiKey: place.apiKey,
    baseUrl: place.baseUrl,
    providerConfig: {
      providerId: 'openai-compatible',
      modelId: place.modelId,
      modelInfo: { id: place.modelId, contextWindow: place.window, maxTokens: place.maxOutput },
    },
    compaction: { enabled: true, strategy, preserveRecentTokens: keep },
  };
  // The builder of requests is not exported; an agent that is never run has one.
  const agent = { ...config, systemPrompt: '', tools: [] };
  const { messageBuilder } = new peer.AgentTeam({ bench: agent }).getAgent('bench');
  const system: string[] = [];
  const source: ClineMessage[] = [];
  let state: State | undefined;

  const current = (): readonly ClineMessage[] =>
    (state === undefined ? undefined : peer.projectSessionCompactionState(state, source)) ?? source;

  /** One turn of its session: project what was compacted before, count, decide, and keep what a pass made. */
  const turn = async (options: TurnOptions): Promise<boolean> => {
    let isSaved = false;
    const prepareTurn = peer.createCompactionStateAwarePrepareTurn({
      compact: peer.createContextCompactionPrepareTurn(config, options),
      getState: () => state,
      saveState: (next) => {
        state = next;
        isSaved = true;
      },
    });
    await prepareTurn({
      agentId: 'bench',
      conversationId: 'bench',
      parentAgentId: null,
      iteration: 1,
      messages: source,
      apiMessages: messageBuilder.buildForApi(source),
      abortSignal: new AbortController().signal,
      systemPrompt: system.join('\n\n'),
      tools: [],
      model: { id: place.modelId, provider: config.providerId, info: { id: place.modelId, contextWindow: window } },
    });
    return isSaved;
  };

  return {
    append: async (messages) => {
      system.push(...messages.flatMap(({ role, content }) => (role === 'system' ? [content ?? ''] : [])));
      source.push(...clineMessages(messages, { from: source.length, ts: Date.now() }));
    },
    prepare: async () => {
      // A compactor that declines: counting and deciding stay cline's, and a session over its threshold is not changed by looking at it.
      await turn({ compaction: { compact: () => undefined } });
    },
    compact: async () => {
      const tokens = current().reduce((sum, message) => sum + peer.estimateTokens(JSON.stringify(message).length), 0);
      return (await turn({ mode: 'manual', manualTargetRatio: keep / tokens })) ? 'compacted' : 'skipped';
    },
    view: () => {
      const prompt = system.map((content) => ({ role: 'system' as const, content }));
      return [...prompt, ...wireOfCline(messageBuilder.buildForApi(mergeResults(current())))];
    },
  };
}

type Peer = Core & Shared;

interface Config {
  readonly providerId: string;
  readonly modelId: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly providerConfig: {
    readonly providerId: string;
    readonly modelId: string;
    readonly modelInfo: ModelInfo & { readonly maxTokens: number };
  };
  readonly compaction: {
    readonly enabled: boolean;
    readonly strategy: Strategy;
    readonly preserveRecentTokens: number;
  };
}

interface ModelInfo {
  readonly id: string;
  readonly contextWindow: number;
}

interface TurnOptions {
  readonly mode?: 'manual';
  readonly manualTargetRatio?: number;
  readonly compaction?: { readonly compact: () => undefined };
}

interface TurnInput {
  readonly agentId: string;
  readonly conversationId: string;
  readonly parentAgentId: null;
  readonly iteration: number;
  readonly messages: readonly ClineMessage[];
  readonly apiMessages: readonly ClineMessage[];
  readonly abortSignal: AbortSignal;
  readonly systemPrompt: string;
  readonly tools: readonly unknown[];
  readonly model: { readonly id: string; readonly provider: string; readonly info: ModelInfo };
}

type PrepareTurn = (input: TurnInput) => Promise<unknown>;

/** What its session keeps of a pass; opaque here. */
type State = object;

interface Core {
  createContextCompactionPrepareTurn(config: Config, options: TurnOptions): PrepareTurn;
  createCompactionStateAwarePrepareTurn(session: {
    readonly compact: PrepareTurn;
    readonly getState: () => State | undefined;
    readonly saveState: (state: State) => void;
  }): PrepareTurn;
  projectSessionCompactionState(state: State, source: readonly ClineMessage[]): readonly ClineMessage[] | undefined;
  readonly AgentTeam: new (
    agents: Readonly<Record<string, object>>,
  ) => {
    getAgent(id: string): { readonly messageBuilder: MessageBuilder };
  };
}

interface MessageBuilder {
  buildForApi(messages: readonly ClineMessage[]): readonly ClineMessage[];
}

interface Shared {
  estimateTokens(chars: number): number;
}
