import { Command } from 'commander';
import { type Environment, PROVIDERS } from '../../../models/providers.ts';
import { environmentWith } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { World } from '../../world.ts';
import { describeModel } from './describe-model.ts';
import { providerRow, providersJson, providersText } from './providers.ts';

interface ModelsFlags {
  readonly json?: boolean;
  readonly config?: string;
}

/** Lists the models that can be asked, or describes one. */
export function modelsCommand(world: World, env: Environment = process.env): Command {
  return new Command('models')
    .summary('list models that can write summaries, or describe one')
    .description('List the models that can write summaries here, or describe one.')
    .argument('[name]', 'model such as claude-haiku-4-5, or provider such as anthropic')
    .option('--json', 'print JSON')
    .option('--config <file>', 'configuration file (default: precis.config.json, if it exists)')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, flags: ModelsFlags) => {
      if (name !== undefined) return world.out(describeModel(name, flags));
      const found = await loadConfig(world, flags.config);
      const rows = PROVIDERS.map((provider) => providerRow(provider, environmentWith(found, env)));
      world.out(flags.json === true ? providersJson(rows, found) : providersText(rows, found, world.outScreen));
    });
}

const EXAMPLES = `
Examples:
  List the models that you can use here:
    precis models
  List the known models of a provider:
    precis models anthropic
  Show the window and the prices of a model:
    precis models claude-haiku-4-5

precis reads keys from the environment and never prints them.`;
