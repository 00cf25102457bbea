import { Command } from 'commander';
import { PrecisError } from '../../core/errors.ts';
import { type CatalogModel, catalog, findModel } from '../../models/catalog/catalog.ts';
import { CATALOG_DATE } from '../../models/catalog/catalog-data.ts';
import {
  addressOf,
  type Environment,
  findProvider,
  firstSet,
  PROVIDERS,
  type Provider,
} from '../../models/providers.ts';
import type { Config } from '../models/config.ts';
import { counted, type Paint, paintFor, whole } from '../screen/paint.ts';
import type { World } from '../world.ts';

interface ModelsFlags {
  readonly json?: boolean;
  readonly config?: string;
}

/** Lists which models can be asked, and what is known of one. */
export function modelsCommand(world: World, env: Environment = process.env): Command {
  return new Command('models')
    .description('List which models can write summaries here, or what is known of one model.')
    .argument('[name]', 'a model such as claude-haiku-4-5, or a provider such as anthropic')
    .option('--json', 'print JSON')
    .option('--config <file>', 'configuration to read (default: precis.config.json, if there is one)')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, flags: ModelsFlags) => {
      if (name !== undefined) return world.out(describe(name, flags.json === true));
      // Loaded here because the schema library takes longer to load than most commands to run.
      const { environmentWith, loadConfig } = await import('../models/config.ts');
      const found = await loadConfig(world, flags.config);
      const rows = PROVIDERS.map((provider) => rowOf(provider, environmentWith(found, env)));
      const { config = null, file = null } = found ?? {};
      world.out(
        flags.json === true ? listJson(rows, config, file) : listText(rows, config, file, paintFor(world.outScreen)),
      );
    });
}

const EXAMPLES = `
Examples:
  What can be used here:
    precis models
  The models of one provider that are known:
    precis models anthropic
  Window and prices of a model:
    precis models claude-haiku-4-5

Keys come from the environment and are never printed.`;

/** `local`: ready when a server runs there, which only `doctor` looks for. */
type RowStatus = 'ready' | 'local' | 'missing-key' | 'missing-address' | 'bad-address';

interface Row {
  readonly provider: Provider;
  readonly status: RowStatus;
  /** Variable that holds the key; null when there is none. */
  readonly keyVariable: string | null;
  readonly baseURL: string | null;
  readonly known: CatalogModel | null;
}

function rowOf(provider: Provider, env: Environment): Row {
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

function listText(rows: readonly Row[], config: Config | null, file: string | null, paint: Paint): string {
  const chosen = config?.model === undefined ? [] : [[config.model, ...(config.fallbacks ?? [])].join(', then ')];
  const lines = [
    'Models that can write summaries. Compaction works without any.',
    ...chosen.map((names) => `${file} chooses ${names}.`),
    '',
    ...rows.flatMap((row) => rowText(row, paint)),
    '',
    'Name one as provider/model. `precis models <provider>` lists what is known of its models,',
    `\`precis doctor\` looks for servers. ${counted(catalog.length, 'model')} are known as of ${CATALOG_DATE}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function rowText({ provider, status, keyVariable, baseURL, known }: Row, paint: Paint): readonly string[] {
  const line = (mark: string, text: string): string => `  ${provider.id.padEnd(12)}${mark}  ${text}`;
  const more = (text: string): string => paint('dim', `${' '.repeat(21)}${text}`);
  const example = `${provider.id}/${provider.example}`;
  switch (status) {
    case 'ready': {
      const size = known === null ? [] : [`${whole(known.contextWindow)} tokens`, priceText(known)];
      const key = keyVariable === null ? 'without a key' : `${keyVariable} is set`;
      return [line(paint('green', 'ready'), `${key}; ${baseURL}`), more([`e.g. ${example}`, ...size].join(', '))];
    }
    case 'local':
      return [line('local', `${example} while a server runs at ${baseURL}`)];
    case 'missing-key':
      return [line(paint('dim', 'no   '), `set ${provider.keys.join(' or ')}`)];
    case 'missing-address':
      return [line(paint('dim', 'no   '), `set ${provider.addresses[0]} to the address of a server`)];
    case 'bad-address':
      return [line(paint('yellow', 'no   '), `${provider.addresses[0]} is no http address without a password`)];
  }
}

function priceText({ prices }: CatalogModel): string {
  return prices === null ? 'price unknown' : `$${prices.input} in and $${prices.output} out per million tokens`;
}

function listJson(rows: readonly Row[], config: Config | null, file: string | null): string {
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
  const chosen = file === null ? null : { file, model: config?.model ?? null, fallbacks: config?.fallbacks ?? [] };
  const catalogue = { date: CATALOG_DATE, models: catalog.length };
  return `${JSON.stringify({ version: 1, catalog: catalogue, config: chosen, providers }, null, 2)}\n`;
}

/** One model of the catalogue, or all of a provider's. */
function describe(name: string, json: boolean): string {
  const owner = findProvider(name)?.id ?? name.toLowerCase();
  const own = catalog.filter((model) => model.provider === owner);
  if (own.length > 0) {
    if (json) return `${JSON.stringify(own, null, 2)}\n`;
    const width = Math.max(...own.map((model) => model.id.length)) + 2;
    const lines = own.map(
      (model) => `${model.id.padEnd(width)}${whole(model.contextWindow).padStart(9)}  ${priceText(model)}`,
    );
    return `${lines.join('\n')}\n`;
  }
  const model = findModel(name);
  if (model === null) throw unknownModel(name);
  return json ? `${JSON.stringify(model, null, 2)}\n` : detailText(model);
}

function unknownModel(name: string): PrecisError {
  const near = catalog.filter(({ id }) => id.includes(name.toLowerCase())).slice(0, 3);
  const meant = near.length === 0 ? '' : ` (did you mean ${near.map(({ id }) => `\`${id}\``).join(' or ')}?)`;
  return new PrecisError(
    'bad-option',
    `expected a model or a provider of the catalogue of ${CATALOG_DATE}, got \`${name}\`${meant}; any other model works too, see docs/models.md`,
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
