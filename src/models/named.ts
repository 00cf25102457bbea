import type { Model } from '../core/model.ts';
import { fromLoader, type LanguageModelOptions } from './ai-sdk.ts';
import { baseURLOf } from './base-url.ts';
import { findModel, resolveModel } from './catalog/catalog.ts';
import { noticingCutPrompts } from './failure/cut-prompts.ts';
import { addressOf, type Environment, findProvider, firstSet, PROVIDERS, type Provider } from './providers.ts';

/** How to reach a model by name. */
export interface NamedModelOptions extends Omit<LanguageModelOptions, 'id'> {
  /** Variables that hold keys and addresses, usually `process.env`. */
  readonly env: Environment;
  /** Address of the provider; wins over the environment. @default the environment's, else the provider's own */
  readonly baseURL?: string;
  /** Used for every request; for proxies and tests. @default `globalThis.fetch` */
  readonly fetch?: typeof globalThis.fetch;
}

/** The model for a name, or the reason why there is none. */
export type NamedModel =
  | {
      readonly type: 'model';
      readonly model: Model;
      /** A sentence about an assumption; null when nothing was assumed. */
      readonly warning: string | null;
    }
  | {
      readonly type: 'unavailable';
      readonly reason: 'bad-name' | 'unknown-model' | 'missing-key' | 'missing-address' | 'bad-address';
      /** One sentence that tells what to do. */
      readonly message: string;
      /** The environment variable to set; null when none would help. */
      readonly variable: string | null;
    };

type Unavailable = Extract<NamedModel, { readonly type: 'unavailable' }>;

/**
 * Finds a model by name: `anthropic/claude-haiku-4-5`, `openai/…`, `google/…`, `ollama/qwen3:8b`, `compatible/NAME` for any
 * OpenAI-compatible server, or a catalogue name without a provider. It makes no call, and the provider is loaded with the first
 * request.
 *
 * @example
 * const found = namedModel('anthropic/claude-haiku-4-5', { env: process.env });
 * if (found.type === 'unavailable') throw new Error(found.message);
 */
export function namedModel(name: string, options: NamedModelOptions): NamedModel {
  const meant = meaningOf(name.trim(), options);
  if (meant.type === 'unavailable') return meant;
  const { provider, model: short } = meant;
  const address = providerAddress(provider, options);
  if (typeof address !== 'string') return address;
  const key = firstSet(provider.keys, options.env)?.value ?? null;
  if (key === null && provider.needsKey) return missingKey(provider);
  const id = `${provider.id}/${short}`;
  const access = { apiKey: key, baseURL: address, fetch: options.fetch ?? null };
  const { settings, warning } = settingsFor(provider, id, options);
  const model = fromLoader(id, () => provider.load(short, access), settings);
  return { type: 'model', model: provider.id === 'ollama' ? noticingCutPrompts(model) : model, warning };
}

interface Meaning {
  readonly type: 'meaning';
  readonly provider: Provider;
  /** The model's name at the provider. */
  readonly model: string;
}

function meaningOf(name: string, { env, baseURL }: NamedModelOptions): Meaning | Unavailable {
  if (name === '' || /[\s\p{Cc}]/u.test(name))
    return unavailable(
      'bad-name',
      `Expected the name of a model such as \`anthropic/claude-haiku-4-5\`, got \`${name}\`.`,
    );
  const slash = name.indexOf('/');
  const named = slash < 0 ? null : findProvider(name.slice(0, slash));
  const rest = name.slice(slash + 1);
  if (named !== null)
    return rest === ''
      ? unavailable('bad-name', `Expected a model after \`${name}\`, such as \`${named.id}/${named.example}\`.`)
      : { type: 'meaning', provider: named, model: rest };
  return bareMeaning(name, env, baseURL);
}

/** Interprets a name without a provider: the catalogue may know the provider, else the user's own server may know the model. */
function bareMeaning(name: string, env: Environment, baseURL: string | undefined): Meaning | Unavailable {
  const found = findModel(name);
  const provider = found === null ? null : findProvider(found.provider);
  const own = findProvider('compatible');
  const hasOwn = own !== null && (baseURL !== undefined || firstSet(own.addresses, env) !== null);
  const isReady = provider !== null && (!provider.needsKey || firstSet(provider.keys, env) !== null);
  if (own !== null && hasOwn && !isReady) return { type: 'meaning', provider: own, model: name };
  // The provider itself does not know a gateway's prefix.
  if (found !== null && provider !== null)
    return { type: 'meaning', provider, model: name.includes('/') ? found.id : name.toLowerCase() };
  const whose =
    found === null ? `Unknown model \`${name}\`` : `\`${name}\` is of ${found.provider}, which has no entry of its own`;
  const known = PROVIDERS.map(({ id }) => id).join(', ');
  return unavailable(
    'unknown-model',
    `${whose}: put its provider before it (${known}), or set PRECIS_BASE_URL to an OpenAI-compatible server.`,
    'PRECIS_BASE_URL',
  );
}

function providerAddress(provider: Provider, { env, baseURL }: NamedModelOptions): string | Unavailable {
  const [variable = null] = provider.addresses;
  const address = baseURL === undefined ? addressOf(provider, env) : baseURLOf(baseURL, provider.form);
  if (address !== null) return address;
  const given = baseURL ?? firstSet(provider.addresses, env)?.value;
  if (given === undefined)
    return unavailable(
      'missing-address',
      `Set ${variable} to the address of the server, such as http://127.0.0.1:8080/v1.`,
      variable,
    );
  const place = baseURL === undefined ? variable : '`baseURL`';
  return unavailable('bad-address', `Expected ${place} to be an http address without a password in it.`, variable);
}

function missingKey(provider: Provider): Unavailable {
  const names = provider.keys.join(' or ');
  return unavailable('missing-key', `Set ${names} to use models of ${provider.title}.`, provider.keys[0] ?? null);
}

function unavailable(reason: Unavailable['reason'], message: string, variable: string | null = null): Unavailable {
  return { type: 'unavailable', reason, message, variable };
}

/** Combines the model's settings with the provider's changes, and warns about assumptions. */
function settingsFor(
  provider: Provider,
  id: string,
  { env, baseURL: _baseURL, fetch: _fetch, ...given }: NamedModelOptions,
): { readonly settings: LanguageModelOptions; readonly warning: string | null } {
  const served = provider.id === 'ollama' ? servedWindow(env) : null;
  const contextWindow = given.contextWindow ?? served ?? undefined;
  const settings: LanguageModelOptions = {
    ...given,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(given.prices === undefined ? ownPrices(provider) : {}),
    // OpenAI stores requests for a month unless told otherwise, and the transcript belongs to the user.
    ...(provider.id === 'openai' ? { providerOptions: { openai: { store: false }, ...given.providerOptions } } : {}),
  };
  if (provider.id === 'ollama' && contextWindow === undefined) return { settings, warning: OLLAMA_WARNING };
  return { settings, warning: resolveModel(id, contextWindow === undefined ? {} : { contextWindow }).warning };
}

/** Returns prices for models outside the maker's own service: a local server is free, and another server's price is unknown. */
function ownPrices({ id, isLocal }: Provider): Pick<LanguageModelOptions, 'prices'> {
  if (isLocal) return { prices: { input: 0, output: 0 } };
  return id === 'compatible' ? { prices: null } : {};
}

function servedWindow(env: Environment): number | null {
  const tokens = Number(env['OLLAMA_CONTEXT_LENGTH'] ?? Number.NaN);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
}

const OLLAMA_WARNING =
  'Ollama cuts prompts that are longer than its own context length, without an error: set OLLAMA_CONTEXT_LENGTH for it and for precis.';
