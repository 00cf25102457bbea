import { Command } from 'commander';
import { MAX_OUTPUT, MAX_SIZE, MAX_TOTAL } from '../../../scrub/limits.ts';
import { wholeNumber } from '../../flags/parsers.ts';
import { withSessionFlags } from '../../flags/session-flags.ts';
import type { World } from '../../world.ts';
import type { ScrubFlags } from './flags.ts';
import { runScrub } from './run.ts';
import type { Load } from './secretlint.ts';

export function scrubCommand(world: World, finish: (code: number) => void, load?: Load): Command {
  const command = new Command('scrub')
    .summary('remove secrets and personal data from sessions')
    .description(
      'Remove secrets and personal data from sessions, so that you can share them. precis audits the result.',
    )
    .argument('<sessions...>', 'agent logs or message files that belong together; `-` reads one from standard input')
    .option('-o, --out <folder>', 'write FOLDER/NAME/session.json for each session')
    .option('--names <file>', 'JSON with names of projects, hosts and people to replace, and names to keep')
    .option('--rules <file>', 'JSON with your own rules')
    .option('--first-message <file>', 'text to replace the first user message with')
    .option('--keep-system', 'keep the system prompt, scrubbed, instead of a placeholder')
    .option(
      '--max-output <chars>',
      'largest tool output; precis cuts the middle out of a larger one',
      wholeNumber(200),
      MAX_OUTPUT,
    )
    .option(
      '--max-size <bytes>',
      'largest result; precis cuts a larger session off between steps',
      wholeNumber(1000),
      MAX_SIZE,
    )
    .option('--max-total <bytes>', 'largest size of all results together', wholeNumber(1000), MAX_TOTAL)
    .option('--report [file]', 'write how often each rule replaced something; `-` or no file is standard output')
    .option('--json', 'print the report as JSON and nothing else')
    .option('--force', 'overwrite files');
  return withSessionFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: ScrubFlags) =>
      finish(await runScrub({ world, paths, flags, load })),
    );
}

const EXAMPLES = `
Examples:
  Only show what would be replaced:
    precis scrub session.json --report
  Scrub two sessions of the same person into fixtures/NAME/session.json:
    precis scrub monday.jsonl tuesday.jsonl --out fixtures
  Also replace your own names, and reword the first message:
    precis scrub session.json --names names.json --first-message task.txt \\
      --out fixtures
  Add your own rules, and write the report to a file:
    precis scrub session.json --rules rules.json --report report.txt \\
      --out fixtures

names.json:
  {"projects": {"Rocket": "gizmo"}, "hosts": ["build-7"],
   "people": ["Jane Doe"], "keep": ["curl"]}
rules.json:
  {"rules": [{"name": "ticket", "starts": ["RKT-"], "body": "\\\\d{2,6}",
              "replacement": "TICKET"}]}

Exit codes: 0 success; 1 the audit found something, so nothing was written;
2 invalid usage or input.`;
