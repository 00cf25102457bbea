import { Command } from 'commander';
import { type Environment, PROVIDERS } from '../../../models/providers.ts';
import { environmentWith } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { paintFor } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import { describeModel } from './describe-model.ts';
import { providerRow, providersJson, providersText } from './providers.ts';

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
      if (name !== undefined) return world.out(describeModel(name, flags));
      const found = await loadConfig(world, flags.config);
      const rows = PROVIDERS.map((provider) => providerRow(provider, environmentWith(found, env)));
      world.out(
        flags.json === true ? providersJson(rows, found) : providersText(rows, found, paintFor(world.outScreen)),
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
