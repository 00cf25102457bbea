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

export const piAgentCore: Arm = {
  id: 'pi-agent-core',
  title: 'pi (agent library)',
  how: 'Runs the library’s `prepareCompaction` and `compact` on its own entries, with pi’s own HTTP client and its defaults for reserve (16,384) and retries (3). `keepRecentTokens` is `keep`. The bench ignores the threshold. pi counts characters / 4.',
  packages: 'pi-agent-core',
  summarises: true,
  hasKnob: true,
  counting: 'estimate',
  load: async (folder) => {
    const peer: Peer = {
      ...(await importInstalled<Compaction>(folder, `${CORE}/dist/harness/compaction/compaction.js`)),
      ...(await importInstalled<Entries>(folder, `${CORE}/dist/harness/session/context.js`)),
      ...(await importInstalled<Messages>(folder, `${CORE}/dist/harness/messages.js`)),
      ...(await importInstalled<Contexts>(folder, `${CORE}/dist/harness/context.js`)),
      ...(await importInstalled<Config>(folder, `${CORE}/dist/harness/config.js`)),
      ...(await importInstalled<Client>(folder, `${CLIENT}/dist/compat.js`)),
      ...(await importInstalled<PiCompletions>(folder, `${CLIENT}/dist/api/openai-completions.js`)),
    };
    const versions = await installedVersions(folder, [CORE, CLIENT]);
    return { versions, open: async (settings) => openSession(peer, settings) };
  },
};

const CORE = '@earendil-works/pi-agent-core';
const CLIENT = '@earendil-works/pi-ai';

function openSession(peer: Peer, { window, keep, model: place }: Settings): ArmSession {
  const model = piModel(place);
  const settings = { ...peer.DEFAULT_COMPACTION_SETTINGS, keepRecentTokens: keep };
  // In its harness a registry of models adds the key; here it is only the one.
  const models: Models = {
    completeSimple: (asked, context, options) =>
      peer.completeSimple(asked, context, { ...options, apiKey: place.apiKey }),
  };
  const system: PiMessage[] = [];
  const entries: Entry[] = [];
  const usage = runningUsage(peer.estimateTokens);
  const context = (): readonly unknown[] =>
    peer.buildContextEntries(entries).flatMap((entry) => peer.sessionEntryToContextMessages(entry));
  const nextPlace = (): EntryPlace => ({
    id: `entry-${entries.length + 1}`,
    parentId: entries.at(-1)?.id ?? null,
    seq: entries.length + 1,
    timestamp: Date.now(),
  });
  return {
    append: async (messages) => {
      for (const message of piMessages(messages, model, Date.now())) {
        // Its harness takes the system prompt as an option and keeps it out of the session.
        if (message.role === 'system') system.push(message);
        else entries.push({ ...nextPlace(), type: 'message', message: usage.recorded(message) });
      }
    },
    prepare: async () => {
      const preparation = unwrap(peer.prepareCompaction(entries, settings));
      if (preparation !== undefined) peer.shouldCompact(preparation.tokensBefore, window, settings);
    },
    compact: async () => {
      const preparation = unwrap(peer.prepareCompaction(entries, settings));
      if (preparation === undefined) return 'skipped';
      const [none, retry, background] = [undefined, peer.DEFAULT_RETRY_POLICY, peer.BACKGROUND_CONTEXT];
      const result = unwrap(await peer.compact(preparation, models, model, none, 'off', retry, none, background));
      entries.push({ ...nextPlace(), type: 'compaction', ...result, fromHook: false });
      usage.restart(context());
      return 'compacted';
    },
    view: () => {
      const messages = [...system, ...peer.convertToLlm(context())];
      return wireOfPi(peer.convertMessages(model, { messages }, {}));
    },
  };
}

function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) throw result.error;
  return result.value;
}

type Peer = Compaction & Entries & Messages & Contexts & Config & Client & PiCompletions;

type Result<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: Error };

interface CompactionResult {
  readonly summary: string;
  readonly tokensBefore: number;
  readonly retainedTail: readonly PiMessage[];
  readonly details?: unknown;
  readonly usage?: unknown;
}

interface EntryPlace {
  readonly id: string;
  readonly parentId: string | null;
  readonly seq: number;
  readonly timestamp: number;
}

type Entry = EntryPlace &
  (
    | { readonly type: 'message'; readonly message: PiMessage }
    | ({ readonly type: 'compaction'; readonly fromHook: boolean } & CompactionResult)
  );

type CompleteSimple = (model: PiModel, context: unknown, options: object) => Promise<unknown>;

interface Models {
  readonly completeSimple: CompleteSimple;
}

interface Client {
  readonly completeSimple: CompleteSimple;
}

interface Compaction {
  readonly DEFAULT_COMPACTION_SETTINGS: PiCompactionSettings;
  estimateTokens(message: unknown): number;
  shouldCompact(tokens: number, window: number, settings: PiCompactionSettings): boolean;
  prepareCompaction(
    entries: readonly Entry[],
    settings: PiCompactionSettings,
  ): Result<{ readonly tokensBefore: number } | undefined>;
  compact(
    preparation: object,
    models: Models,
    model: PiModel,
    instructions: undefined,
    thinking: 'off',
    retry: unknown,
    callbacks: undefined,
    context: unknown,
  ): Promise<Result<CompactionResult>>;
}

interface Entries {
  buildContextEntries(entries: readonly Entry[]): readonly Entry[];
  sessionEntryToContextMessages(entry: Entry): readonly unknown[];
}

interface Messages {
  convertToLlm(messages: readonly unknown[]): readonly unknown[];
}

interface Contexts {
  readonly BACKGROUND_CONTEXT: unknown;
}

interface Config {
  readonly DEFAULT_RETRY_POLICY: unknown;
}
