import type { ModelWindow } from '../../core/tokens/window.ts';
import { UNKNOWN_WINDOW } from '../../core/tokens/window.ts';
import { type CacheRule, cacheRuleOf } from './cache-rule.ts';
import { CATALOG_ROWS } from './catalog-data.ts';
import type { CatalogRow, PriceRow, Prices, PriceTier } from './catalog-row.ts';

/** Public facts about a model. Can be used as a `ModelWindow`. */
export interface CatalogModel extends ModelWindow {
  /** Id of the provider, e.g. `anthropic`. */
  readonly provider: string;
  /** Name for people. */
  readonly name: string;
  /** US dollars per million tokens; null when the model has no price per token, or none is known. */
  readonly prices: Prices | null;
  /** Prices of longer requests, by rising length; empty when the price does not depend on length. */
  readonly tiers: readonly PriceTier[];
  /** Null when the provider does not cache prompts for this model. */
  readonly cache: CacheRule | null;
}

/** A model for an id, known or assumed. */
export interface ResolvedModel {
  /** The catalogue's model with the overrides; for an unknown id a model of assumptions. */
  readonly model: CatalogModel;
  /** A sentence for people about an assumption; null when nothing was assumed. */
  readonly warning: string | null;
}

/** Every model of the catalogue, grouped by provider. */
export const catalog: readonly CatalogModel[] = CATALOG_ROWS.map(modelOf);

/**
 * Finds a model: by exact `provider/id`, then exact `id`, then the id without the marks that gateways and dates add (`us.anthropic.…-v1:0`,
 * `openrouter/…`, `…-20250929`, `…@20250929`, `…:free`), then the longest known id that it begins with. Null when none matches.
 */
export function findModel(id: string): CatalogModel | null {
  const wanted = id.trim().toLowerCase();
  if (wanted === '') return null;
  for (const candidate of [wanted, withoutGateway(wanted), withoutDate(withoutGateway(wanted))]) {
    const found = modelsById().get(candidate) ?? modelsById().get(dashed(candidate));
    if (found !== undefined) return found;
  }
  return longestPrefix(withoutGateway(wanted));
}

/** Finds a model and applies the caller's overrides. An unknown model gets a window of 128,000 tokens, no prices, and a warning that says so. */
export function resolveModel(id: string, overrides: Partial<CatalogModel> = {}): ResolvedModel {
  const found = findModel(id);
  const base = found ?? { ...UNKNOWN_MODEL, id, name: id };
  const model: CatalogModel = { ...base, ...overrides };
  if (found !== null || overrides.contextWindow !== undefined) return { model, warning: null };
  const window = UNKNOWN_WINDOW.toLocaleString('en-US');
  const warning = `Unknown model '${id}': assuming a context window of ${window} tokens. Give its contextWindow to be exact.`;
  return { model, warning };
}

const UNKNOWN_MODEL: Omit<CatalogModel, 'id' | 'name'> = {
  provider: 'unknown',
  contextWindow: UNKNOWN_WINDOW,
  maxOutput: null,
  prices: null,
  tiers: [],
  cache: null,
};

function modelOf(row: CatalogRow): CatalogModel {
  const [provider, id, name, contextWindow, maxOutput, prices, tiers = []] = row;
  return {
    provider,
    id,
    name,
    contextWindow,
    maxOutput,
    prices: prices === null ? null : pricesOf(prices),
    tiers: tiers.map(([inputTokensAbove, tier]) => ({ inputTokensAbove, ...pricesOf(tier) })),
    cache: prices?.[2] == null ? null : cacheRuleOf(provider, id),
  };
}

function pricesOf([input, output, cacheRead, cacheWrite]: PriceRow): Prices {
  return { input, output, cacheRead, cacheWrite };
}

let known: ReadonlyMap<string, CatalogModel> | undefined;

/** Maps ids to models: as they are, with dashes in versions, and without dates. Full names win, then the catalogue's order. */
function modelsById(): ReadonlyMap<string, CatalogModel> {
  if (known !== undefined) return known;
  const map = new Map<string, CatalogModel>();
  const forms: readonly ((id: string) => string)[] = [(id) => id, dashed, withoutDate, (id) => dashed(withoutDate(id))];
  const add = (key: string, model: CatalogModel): void => {
    if (!map.has(key)) map.set(key, model);
  };
  for (const form of forms) {
    for (const model of catalog) add(`${model.provider}/${form(model.id.toLowerCase())}`, model);
    for (const model of catalog) add(form(model.id.toLowerCase()), model);
  }
  known = map;
  return map;
}

/** `us.anthropic.claude-sonnet-4-5-20250929-v1:0` and `openrouter/anthropic/claude-sonnet-4.5:free` → the model's own id. */
function withoutGateway(id: string): string {
  const last = id.slice(id.lastIndexOf('/') + 1);
  return last
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|amazon|deepseek|meta|mistral|moonshotai?|openai|qwen|xai|zai)\./, '')
    .replace(/(?:-v\d+)?:\w+$/, '')
    .replace('@', '-');
}

/** Removes `-20250929`, `-2024-08-06`, `-0905`, `-preview-05-06`, `-preview`, `-latest`. */
function withoutDate(id: string): string {
  return id
    .replace(/-(?:latest|preview)$/, '')
    .replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d|\d\d-20\d\d|\d\d-\d\d|\d{4})$/, '')
    .replace(/-preview$/, '');
}

function dashed(id: string): string {
  return id.replaceAll('.', '-');
}

function longestPrefix(id: string): CatalogModel | null {
  for (let end = id.lastIndexOf('-'); end > 0; end = id.lastIndexOf('-', end - 1)) {
    // `-6` after `claude-opus-5` is another version, not a variant of it.
    if (/^-\d{1,2}(?!\d)/.test(id.slice(end))) continue;
    const found = modelsById().get(id.slice(0, end));
    if (found !== undefined) return found;
  }
  return null;
}
