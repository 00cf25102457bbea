import type { Prepared } from '../../../src/context/context.ts';
import { openContext } from '../../../src/context/open.ts';
import { singleSummarizer } from '../../../src/core/model.ts';
import { namedModel } from '../../../src/models/named.ts';
import { o200k } from '../../../src/models/o200k.ts';
import { SEARCH_TOKENS } from '../search-tokens.ts';
import type { Arm, ArmSession, Settings, SummariserPlace, WireMessage } from '../types.ts';
import { ownVersion } from './own-version.ts';

/** Ours without a model: quotes and the ledger alone. */
export const precis: Arm = {
  id: 'precis',
  title: 'precis',
  how: '`openContext()` with exact counts, then `append` and `compact({ target })`, without a model',
  packages: null,
  summarises: false,
  hasKnob: true,
  counting: 'exact',
  load: async () => ({ versions: [await ownVersion()], open: (settings) => openSession(settings, false) }),
};

/** Ours with the same summariser as everyone else. */
export const precisModel: Arm = {
  ...precis,
  id: 'precis-model',
  title: 'precis + model',
  how: '`openContext()` with exact counts and a `summarizer`, then `append` and `compact({ target })`',
  summarises: true,
  load: async () => ({ versions: [await ownVersion()], open: (settings) => openSession(settings, true) }),
};

async function openSession({ window, keep, model }: Settings, asks: boolean): Promise<ArmSession> {
  const context = await openContext({
    id: 'bench',
    format: 'openai-chat',
    window,
    counter: o200k,
    ...(asks ? { summarizer: singleSummarizer(modelAt(model), () => performance.now()) } : {}),
  });
  let latest: Prepared | null = null;
  const view = (): readonly WireMessage[] => {
    const request = latest?.request as { readonly messages: readonly WireMessage[] } | readonly WireMessage[];
    return Array.isArray(request) ? request : (request as { readonly messages: readonly WireMessage[] }).messages;
  };
  return {
    append: async (messages) => {
      await context.append(messages);
    },
    prepare: async () => {
      latest = await context.prepare();
    },
    compact: async () => {
      latest = await context.compact({ target: keep });
      return latest.outcome === 'unchanged' || latest.outcome === 'refused' ? 'skipped' : 'compacted';
    },
    search: async (question) => JSON.stringify(await context.search(question, { tokens: SEARCH_TOKENS })),
    view,
  };
}

function modelAt({
  baseUrl,
  apiKey,
  modelId,
  window,
  maxOutput,
}: SummariserPlace): Parameters<typeof singleSummarizer>[0] {
  const found = namedModel(`compatible/${modelId}`, {
    env: { PRECIS_COMPATIBLE_API_KEY: apiKey },
    baseURL: baseUrl,
    contextWindow: window,
    maxOutput,
  });
  if (found.type === 'unavailable') throw new Error(found.message);
  return found.model;
}
