import { Command } from 'commander';
import type { Environment } from '../../../models/providers.ts';
import type { World } from '../../world.ts';
import { type CompactFlags, withCompactFlags } from './flags.ts';
import { runCompact } from './run.ts';

export function compactCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  const command = new Command('compact')
    .description('Make a session smaller without losing what matters. No key, no network, no configuration.')
    .argument(
      '<session>',
      'the log of an agent, a JSON array of messages, an object with `messages`, or JSONL; `-` reads standard input',
    );
  return withCompactFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: CompactFlags) => finish(await runCompact({ world, path, flags, env })));
}

const EXAMPLES = `
Examples:
  Compact to 10,000 tokens, into a new file:
    precis compact session.json --target 10000 --out smaller.json
  Only say what would happen:
    precis compact session.jsonl --target 20k
  To the default target of a model, to standard output:
    precis compact session.json --for claude-sonnet-5 --out -
  The log of an agent (\`precis sessions\` lists them):
    precis compact ~/.claude/projects/-home-me-shop/0b6c.jsonl --target 20k --out smaller.json
  Five compactions in a row, and one receipt of all:
    precis compact session.json --target 10000 --passes 5 --json
  With a summary by a model (keys come from the environment):
    precis compact session.json --target 10000 --model anthropic/claude-haiku-4-5 --out smaller.json
  Keep the original, to search it and to undo:
    precis compact session.json --target 10000 --store session.db --out smaller.json
    precis history session.db search "Which port does the staging server use?"
  From standard input:
    cat session.json | precis compact - --target 10000 --out smaller.json

Exit codes: 0 done, also when there was nothing to do; 2 wrong usage or input,
or no way to reach the target, and then nothing is written.`;
