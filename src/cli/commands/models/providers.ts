import { type CatalogModel, catalog, findModel } from '../../../models/catalog/catalog.ts';
import { CATALOG_DATE } from '../../../models/catalog/catalog-data.ts';
import { addressOf, type Environment, firstSet, type Provider } from '../../../models/providers.ts';
import type { FoundConfig } from '../../config/config.ts';
import { jsonText } from '../../screen/json-text.ts';
import { counted, paintFor, whole } from '../../screen/paint.ts';
import { wrapAt } from '../../screen/wrap.ts';
import type { Screen } from '../../world.ts';
import { priceText } from './price-text.ts';

/** `local`: ready when a server runs there, which only `doctor` looks for. */
type RowStatus = 'ready' | 'local' | 'missing-key' | 'missing-address' | 'bad-address';

export interface ProviderRow {
  readonly provider: Provider;
  readonly status: RowStatus;
  /** Variable that holds the key; null when there is none. */
  readonly keyVariable: string | null;
  readonly baseURL: string | null;
  readonly known: CatalogModel | null;
}

export function providerRow(provider: Provider, env: Environment): ProviderRow {
  const baseURL = addressOf(provider, env);
  const keyVariable = firstSet(provider.keys, env)?.name ?? null;
  return {
    provider,
    status: statusOf(),
    keyVariable,
    baseURL,
    known: provider.isLocal ? null : findModel(`${provider.id}/${provider.example}`),
  };

  function statusOf(): RowStatus {
    if (baseURL === null) return firstSet(provider.addresses, env) === null ? 'missing-address' : 'bad-address';
    if (provider.isLocal) return 'local';
    return keyVariable === null && provider.needsKey ? 'missing-key' : 'ready';
  }
}

export function providersText(rows: readonly ProviderRow[], found: FoundConfig | null, screen: Screen): string {
  const { model, fallbacks = [] } = found?.config ?? {};
  const chosen = model === undefined ? [] : [`${found?.file} chooses ${[model, ...fallbacks].join(', then ')}.`];
  const lines = [
    'Models that can write summaries. Compaction also works without one.',
    ...chosen,
    '',
    ...rows.map((row) => providerText(row, screen)),
    '',
    'Name a model as provider/model. A local model needs a running server, which',
    '`precis doctor` looks for. `precis models PROVIDER` lists the known models of a',
    `provider. The catalogue holds ${counted(catalog.length, 'model')} as of ${CATALOG_DATE}.`,
  ];
  return `${lines.join('\n')}\n`;
}

const INDENT = 21;

function providerText({ provider, status, keyVariable, baseURL, known }: ProviderRow, screen: Screen): string {
  const paint = paintFor(screen);
  const line = (mark: string, text: string): string =>
    `  ${provider.id.padEnd(12)}${mark}  ${wrapAt(INDENT, text, screen.columns)}`;
  const example = `${provider.id}/${provider.example}`;
  switch (status) {
    case 'ready': {
      const size = known === null ? [] : [`${whole(known.contextWindow)} tokens`, priceText(known)];
      const key = keyVariable === null ? 'without a key' : `${keyVariable} is set`;
      const more = wrapAt(INDENT, [`e.g. ${example}`, ...size].join(', '), screen.columns);
      return `${line(paint('green', 'ready'), `${key}; ${baseURL}`)}\n${' '.repeat(INDENT)}${paint('dim', more)}`;
    }
    case 'local':
      return line('local', `${example} at ${baseURL}`);
    case 'missing-key':
      return line(paint('dim', 'no   '), `set ${provider.keys.join(' or ')}`);
    case 'missing-address':
      return line(paint('dim', 'no   '), `set ${provider.addresses[0]} to the address of a server`);
    case 'bad-address':
      return line(paint('yellow', 'no   '), `${provider.addresses[0]} is not an http address without a password`);
  }
}

export function providersJson(rows: readonly ProviderRow[], found: FoundConfig | null): string {
  const providers = rows.map(({ provider, status, keyVariable, baseURL, known }) => ({
    provider: provider.id,
    status,
    keyVariable,
    keyVariables: provider.keys,
    baseURL,
    example: {
      id: `${provider.id}/${provider.example}`,
      contextWindow: known?.contextWindow ?? null,
      prices: known?.prices ?? null,
    },
  }));
  const config =
    found === null
      ? null
      : { file: found.file, model: found.config.model ?? null, fallbacks: found.config.fallbacks ?? [] };
  return jsonText({ version: 1, catalog: { date: CATALOG_DATE, models: catalog.length }, config, providers });
}
