import { PrecisError } from '../../../core/errors.ts';
import { type CatalogModel, catalog, findModel } from '../../../models/catalog/catalog.ts';
import { CATALOG_DATE } from '../../../models/catalog/catalog-data.ts';
import { findProvider } from '../../../models/providers.ts';
import { jsonText } from '../../screen/json-text.ts';
import { whole } from '../../screen/paint.ts';
import { priceText } from './price-text.ts';

/** One model of the catalogue, or all of a provider's. */
export function describeModel(name: string, { json }: { readonly json?: boolean }): string {
  const owner = findProvider(name)?.id ?? name.toLowerCase();
  const own = catalog.filter((model) => model.provider === owner);
  if (own.length > 0) return json === true ? jsonText(own) : listText(own);
  const model = findModel(name);
  if (model === null) throw unknownModel(name);
  return json === true ? jsonText(model) : detailText(model);
}

function listText(models: readonly CatalogModel[]): string {
  const width = Math.max(...models.map(({ id }) => id.length));
  const line = (id: string, window: string, [input, output]: readonly [string, string]): string =>
    `${id.padEnd(width)}  ${window.padStart(9)}  ${input.padStart(8)}  ${output.padStart(8)}\n`;
  const rows = models.map(({ id, contextWindow, prices }) =>
    line(
      id,
      whole(contextWindow),
      prices === null ? ['unknown', 'unknown'] : [`$${prices.input}`, `$${prices.output}`],
    ),
  );
  return `${line('model', 'window', ['input', 'output'])}${rows.join('')}Windows are in tokens, prices in US dollars per million tokens.\n`;
}

function unknownModel(name: string): PrecisError {
  const near = catalog.filter(({ id }) => id.includes(name.toLowerCase())).slice(0, 3);
  const meant = near.length === 0 ? '' : ` (did you mean ${near.map(({ id }) => `\`${id}\``).join(' or ')}?)`;
  return new PrecisError(
    'bad-option',
    `expected a model or a provider of the catalogue of ${CATALOG_DATE}, got \`${name}\`${meant}; other models work too, see docs/models.md`,
  );
}

function detailText(model: CatalogModel): string {
  const { prices, tiers, cache } = model;
  const provider = findProvider(model.provider);
  const rows: readonly (readonly [string, string | null])[] = [
    ['id', `${model.provider}/${model.id}`],
    ['window', `${whole(model.contextWindow)} tokens`],
    ['output', model.maxOutput === null ? 'unknown' : `up to ${whole(model.maxOutput)} tokens`],
    ['price', priceText(model)],
    ['cached', prices?.cacheRead == null ? null : `$${prices.cacheRead} per million tokens read from the cache`],
    ...tiers.map((tier): [string, string] => [
      'longer',
      `$${tier.input} in and $${tier.output} out above ${whole(tier.inputTokensAbove)} tokens`,
    ]),
    ['cache', cache === null ? 'prompts are not cached' : null],
    ['key', provider === null ? 'through compatible/…, see docs/models.md' : provider.keys.join(' or ')],
  ];
  const lines = rows.flatMap(([label, text]) => (text === null ? [] : [`  ${label.padEnd(8)}${text}`]));
  return `${[model.name, ...lines].join('\n')}\n`;
}
