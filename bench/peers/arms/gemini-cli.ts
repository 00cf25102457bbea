import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ask } from '../ask.ts';
import type { Arm, ArmSession, LoadedArm, Settings, SummariserPlace, WireMessage } from '../types.ts';
import { askedOf, type Content, fromGemini, type GeminiPart, toGemini } from './gemini-contents.ts';
import { installedVersions } from './installed-version.ts';

const PACKAGE = '@google/gemini-cli-core';
/** Its default model. The name alone matters: it selects the prompt and a window of 1,048,576 tokens. */
const MODEL = 'gemini-2.5-pro';
const MODEL_WINDOW = 1_048_576;
/** Its default for what is left of a long tool output, in characters. */
const TRUNCATED_OUTPUT = 40_000;
/** Where it would put long outputs. The path stands in what the model reads, so it is the same in every run. */
const OUTPUT_FOLDER = join(tmpdir(), 'precis-bench-gemini');

export const geminiCli: Arm = {
  id: 'gemini-cli',
  title: 'gemini-cli',
  how: 'Runs `ChatCompressionService.compress` of gemini-cli-core with `force` on its own `GeminiChat`. It looks for the newest 30 % by characters, which cannot be set, and cuts at the next user message, so little or nothing of them may stay. A client above it retries failed requests; the bench does not run that client.',
  packages: 'gemini-cli',
  summarises: true,
  hasKnob: false,
  counting: 'estimate',
  load,
};

async function load(folder: string): Promise<LoadedArm> {
  const source = join(folder, 'node_modules', PACKAGE, 'dist', 'src');
  const at = (...path: readonly string[]): string => pathToFileURL(join(source, ...path)).href;
  const { ChatCompressionService } = (await import(at('context', 'chatCompressionService.js'))) as Compression;
  const { GeminiChat } = (await import(at('core', 'geminiChat.js'))) as Chats;
  const { estimateTokenCountSync } = (await import(at('utils', 'tokenCalculation.js'))) as Estimates;
  return {
    versions: await installedVersions(folder, [PACKAGE]),
    open: async (settings) => openSession(settings, { ChatCompressionService, GeminiChat, estimateTokenCountSync }),
  };
}

function openSession(settings: Settings, parts: Compression & Chats & Estimates): ArmSession {
  const config = configOf(settings);
  const service = new parts.ChatCompressionService();
  // The system instruction is a field of its own there and never part of the history.
  let system: readonly WireMessage[] = [];
  // The client opens another chat after a pass, with the new history; its size is estimated then, as after loading a session.
  const chatOf = (history: readonly Content[]): Chat => new parts.GeminiChat(config, '', [], [...history]);
  let chat = chatOf([]);
  let isEmpty = true;
  const names = new Map<string, string>();
  const add = (content: Content): void => {
    chat.addHistory(content);
    // It takes the size of the context from each answer of the provider. The sessions carry none, so its own estimate stands in for it.
    chat.lastPromptTokenCount += parts.estimateTokenCountSync(content.parts);
  };
  return {
    append: async (messages) => {
      system = [...system, ...messages.filter(({ role }) => role === 'system')];
      const contents = toGemini(messages, names);
      // The first messages are loaded as a session is: it looks through the whole history for each one that is added.
      if (isEmpty) chat = chatOf(contents);
      else for (const content of contents) add(content);
      isEmpty &&= contents.length === 0;
    },
    prepare: async () => {
      await service.compress(chat, 'bench', false, MODEL, config, false);
    },
    compact: async () => {
      const { newHistory } = await service.compress(chat, 'bench', true, MODEL, config, false);
      if (newHistory === null) return 'skipped';
      chat = chatOf(newHistory);
      return 'compacted';
    },
    view: () => [...system, ...fromGemini(chat.getHistory(true))],
  };
}

/**
 * Its `Config` reads settings, signs in and opens log files. The service asks it for a dozen values; whatever is not named here is a function that
 * gives nothing back, which means "off" everywhere.
 */
function configOf({ window, model }: Settings): object {
  let truncated = 0;
  const known: Readonly<Record<string, unknown>> = {
    storage: { getProjectTempDir: () => OUTPUT_FOLDER },
    getProjectRoot: () => OUTPUT_FOLDER,
    getModel: () => MODEL,
    getActiveModel: () => MODEL,
    getSessionMemory: () => '',
    getTruncateToolOutputThreshold: () => TRUNCATED_OUTPUT,
    getNextCompressionTruncationId: () => ++truncated,
    // A share of its model's window. The default, half of it, would make a pass of many a turn that is only timed; `force` does not ask for it.
    getCompressionThreshold: async () => window / MODEL_WINDOW,
    getBaseLlmClient: () => ({ generateContent: (request: GenerateRequest) => generate(model, request) }),
  };
  const config: object = new Proxy(known, {
    get: (target, name) => {
      // Parts of it take a context with the configuration inside; here both are one. A thenable would be awaited.
      if (name === 'config') return config;
      if (typeof name !== 'string' || name === 'then') return undefined;
      return target[name] ?? (() => undefined);
    },
  });
  return config;
}

async function generate(place: SummariserPlace, request: GenerateRequest): Promise<GenerateResponse> {
  const { text, finish } = await ask(
    place,
    [{ role: 'system', content: request.systemInstruction.text }, ...askedOf(request.contents)],
    { signal: request.abortSignal },
  );
  const finishReason = FINISH_REASONS[finish] ?? 'OTHER';
  return { candidates: [{ content: { role: 'model', parts: text === '' ? [] : [{ text }] }, finishReason }] };
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

/** As much of the package as is used. */
interface Compression {
  readonly ChatCompressionService: new () => {
    compress(
      chat: Chat,
      promptId: string,
      force: boolean,
      model: string,
      config: object,
      hasFailedBefore: boolean,
    ): Promise<{ readonly newHistory: readonly Content[] | null }>;
  };
}

interface Chats {
  readonly GeminiChat: new (config: object, system: string, tools: readonly [], history: readonly Content[]) => Chat;
}

interface Estimates {
  estimateTokenCountSync(parts: readonly GeminiPart[]): number;
}

interface Chat {
  lastPromptTokenCount: number;
  addHistory(content: Content): void;
  getHistory(curated?: boolean): readonly Content[];
}

interface GenerateRequest {
  readonly contents: readonly Content[];
  readonly systemInstruction: { readonly text: string };
  readonly abortSignal: AbortSignal;
}

interface GenerateResponse {
  readonly candidates: readonly { readonly content: Content; readonly finishReason: string }[];
}
