import { Command } from 'commander';
import type { Environment } from '../../../models/providers.ts';
import { SESSION_HELP } from '../../flags/session-flags.ts';
import type { World } from '../../world.ts';
import { type CompactFlags, withCompactFlags } from './flags.ts';
import { runCompact } from './run.ts';

export function compactCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  const command = new Command('compact')
    .summary('make a session smaller without losing what matters')
    .description(
      'Make a session smaller without losing what matters. This needs no key, no network and no configuration.',
    )
    .argument('<session>', SESSION_HELP);
  return withCompactFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: CompactFlags) => finish(await runCompact({ world, path, flags, env })));
}

const EXAMPLES = `
Examples:
  Compact to 10,000 tokens:
    precis compact session.json --target 10000 --out smaller.json
  Only show what would happen:
    precis compact session.jsonl --target 20k
  Compact to the default target of a model, and print the result:
    precis compact session.json --for claude-sonnet-5 --out -
  Compact an agent log (\`precis sessions\` lists them):
    precis compact ~/.claude/projects/-home-me-shop/0b6c.jsonl --target 20k \\
      --out smaller.json
  Compact five times in a row, and print one receipt:
    precis compact session.json --target 10000 --passes 5 --json
  Add a summary by a model (keys come from the environment):
    precis compact session.json --target 10000 --out smaller.json \\
      --model anthropic/claude-haiku-4-5
  Keep the original, to search it or to undo the compaction:
    precis compact session.json --target 10000 --out smaller.json \\
      --store session.db
    precis history session.db search "Which port does the staging server use?"
  Read standard input:
    cat session.json | precis compact - --target 10000 --out smaller.json

Exit codes: 0 success, even if there was nothing to do; 2 invalid usage or
input, or the target cannot be reached (then nothing is written).`;
