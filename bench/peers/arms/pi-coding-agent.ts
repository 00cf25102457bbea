import type { Arm, ArmSession, Settings } from '../types.ts';
import { importInstalled } from './import-installed.ts';
import { installedVersions } from './installed-version.ts';
import {
  type PiCompactionSettings,
  type PiCompletions,
  type PiMessage,
  type PiModel,
  piMessages,
  piModel,
  wireOfPi,
} from './pi-messages.ts';
import { runningUsage } from './pi-usage.ts';

export const piCodingAgent: Arm = {
  id: 'pi-coding-agent',
  title: 'pi (coding agent)',
  how: 'Runs the agent’s `prepareCompaction` and `compact` on its own session manager, with its own HTTP client and its defaults for reserve (16,384) and retries (3). `keepRecentTokens` is `keep`. Like the agent’s `/compact`, the bench ignores the threshold. pi counts characters / 4.',
  packages: 'pi-coding-agent',
  summarises: true,
  hasKnob: true,
  counting: 'estimate',
  load: async (folder) => {
    const peer: Peer = {
      ...(await importInstalled<Compaction>(folder, `${AGENT}/dist/core/compaction/index.js`)),
      ...(await importInstalled<Sessions>(folder, `${AGENT}/dist/core/session-manager.js`)),
      ...(await importInstalled<Messages>(folder, `${AGENT}/dist/core/messages.js`)),
      ...(await importInstalled<PiCompletions>(folder, `${CLIENT}/dist/api/openai-completions.js`)),
    };
    const versions = await installedVersions(folder, [AGENT, CLIENT]);
    return { versions, open: async (settings) => openSession(peer, settings) };
  },
};

const AGENT = '@earendil-works/pi-coding-agent';
const CLIENT = '@earendil-works/pi-ai';

/** What its settings manager gives when the user set nothing. Without it a passing error would end a pass that the agent would save. */
const RETRY = { enabled: true, maxRetries: 3, baseDelayMs: 2000, maxAgentDelayMs: 60_000 };

function openSession(peer: Peer, { window, keep, model: place }: Settings): ArmSession {
  const model = piModel(place);
  const settings = { ...peer.DEFAULT_COMPACTION_SETTINGS, keepRecentTokens: keep };
  const session = peer.SessionManager.inMemory();
  const usage = runningUsage(peer.estimateTokens);
  return {
    append: async (messages) => {
      for (const message of piMessages(messages, model, Date.now())) session.appendMessage(usage.recorded(message));
    },
    prepare: async () => {
      const { tokens } = peer.estimateProjectedContextTokens(session.buildSessionProjection(), session.getBranch());
      peer.shouldCompact(tokens, window, settings);
    },
    compact: async () => {
      const preparation = peer.prepareCompaction(session.getBranch(), settings);
      if (preparation === undefined) return 'skipped';
      const none = undefined;
      const result = await peer.compact(preparation, model, place.apiKey, none, none, none, 'off', none, none, RETRY);
      const { summary, firstKeptEntryId, tokensBefore, details } = result;
      session.appendCompaction(summary, firstKeptEntryId, tokensBefore, details, false, result.usage);
      usage.restart(session.buildSessionProjection().messages);
      return 'compacted';
    },
    view: () => {
      const messages = peer.convertToLlm(session.buildSessionProjection().messages);
      return wireOfPi(peer.convertMessages(model, { messages }, {}));
    },
  };
}

type Peer = Compaction & Sessions & Messages & PiCompletions;

interface CompactionResult {
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  readonly details?: unknown;
  readonly usage?: unknown;
}

interface Compaction {
  readonly DEFAULT_COMPACTION_SETTINGS: PiCompactionSettings;
  estimateProjectedContextTokens(projection: Projection, branch: readonly unknown[]): { readonly tokens: number };
  estimateTokens(message: unknown): number;
  shouldCompact(tokens: number, window: number, settings: PiCompactionSettings): boolean;
  prepareCompaction(branch: readonly unknown[], settings: PiCompactionSettings): object | undefined;
  /** Without a stream function it asks with pi's own client. */
  compact(
    preparation: object,
    model: PiModel,
    apiKey: string,
    headers: undefined,
    instructions: undefined,
    signal: undefined,
    thinking: 'off',
    streamFn: undefined,
    env: undefined,
    retry: typeof RETRY,
  ): Promise<CompactionResult>;
}

interface Sessions {
  readonly SessionManager: { inMemory(): Session };
}

interface Session {
  appendMessage(message: PiMessage): string;
  appendCompaction(
    summary: string,
    firstKeptEntryId: string,
    tokensBefore: number,
    details: unknown,
    fromHook: boolean,
    usage: unknown,
  ): string;
  getBranch(): readonly unknown[];
  buildSessionProjection(): Projection;
}

interface Projection {
  readonly messages: readonly unknown[];
}

interface Messages {
  convertToLlm(messages: readonly unknown[]): readonly unknown[];
}
