import { Command } from 'commander';
import type { Environment } from '../../../models/providers.ts';
import { wholeNumber } from '../../flags/parsers.ts';
import type { World } from '../../world.ts';
import { runCheck } from './check.ts';
import { runDraft } from './draft.ts';
import type { ProbesFlags } from './flags.ts';

const USUAL_COUNT = 10;

export function probesCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  return new Command('probes')
    .description('Draft questions that tell whether a compaction kept what matters, or check a bank of them.')
    .argument(
      '<places...>',
      'a session to draft from; with `--check`, fixtures: folders, session files, or names in ./fixtures',
    )
    .option('--check', 'check the probes of fixtures instead of drafting')
    .option('-o, --out <file>', 'write the draft here (default: standard output)')
    .option('--count <n>', 'most probes to draft', wholeNumber(1), USUAL_COUNT)
    .option('--model <name>', 'model that proposes decisions and reasons besides; its answers are verified')
    .option('--force', 'overwrite the file')
    .option('--json', 'print all that was found as JSON on standard output, and nothing else')
    .option('--from <format>', 'format of the session (default: found by content)')
    .option('--since-compaction', 'of a log, what its model saw after its last compaction (default: all that was said)')
    .option('--run <n>', 'of a file with several runs, take this one (default: the first)', wholeNumber(1))
    .addHelpText('after', EXAMPLES)
    .action(async (places: readonly string[], flags: ProbesFlags) => {
      if (flags.check === true) finish(await runCheck(world, places, flags));
      else await runDraft({ world, places, flags, env });
    });
}

const EXAMPLES = `
Examples:
  Draft ten probes from a session, read them, and keep the good ones:
    precis probes session.json --out fixtures/mine/probes.json
  With a model that proposes decisions and reasons:
    precis probes session.json --model anthropic/claude-haiku-4-5 --count 15 --out probes.json
  Check the probes of all fixtures, or of one:
    precis probes --check fixtures
    precis probes --check fixtures/rate-limiter

Exit codes: 0 done; 1 a probe is unsound; 2 wrong usage or input.`;
