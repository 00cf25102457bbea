import { Command } from 'commander';
import type { Environment } from '../../../models/providers.ts';
import { wholeNumber } from '../../flags/parsers.ts';
import { withSessionFlags } from '../../flags/session-flags.ts';
import type { World } from '../../world.ts';
import { runCheck } from './check.ts';
import { runDraft } from './draft.ts';
import type { ProbesFlags } from './flags.ts';

const USUAL_COUNT = 10;

export function probesCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  const command = new Command('probes')
    .summary('draft questions about a session, or check existing ones')
    .description('Draft questions that test what a compaction keeps, or check existing ones.')
    .argument(
      '<places...>',
      'session to draft from; with `--check`, fixtures: folders, session files, or names in ./fixtures',
    )
    .option('--check', 'check the probes of fixtures instead of drafting')
    .option('-o, --out <file>', 'write the draft here (default: standard output)')
    .option('--count <n>', 'largest number of probes to draft', wholeNumber(1), USUAL_COUNT)
    .option('--model <name>', 'model that also proposes decisions and reasons; precis verifies its answers')
    .option('--force', 'overwrite the output file')
    .option('--json', 'print everything that was found as JSON and nothing else');
  return withSessionFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (places: readonly string[], flags: ProbesFlags) => {
      if (flags.check === true) finish(await runCheck(world, places, flags));
      else await runDraft({ world, places, flags, env });
    });
}

const EXAMPLES = `
Examples:
  Draft ten probes from a session, to read them and keep the good ones:
    precis probes session.json --out fixtures/mine/probes.json
  Let a model also propose decisions and reasons:
    precis probes session.json --model anthropic/claude-haiku-4-5 --count 15 \\
      --out probes.json
  Check the probes of all fixtures, or of one:
    precis probes --check fixtures
    precis probes --check fixtures/rate-limiter

Exit codes: 0 success; 1 a probe is unsound; 2 invalid usage or input.`;
