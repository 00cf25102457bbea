import { Command } from 'commander';
import { MAX_OUTPUT, MAX_SIZE, MAX_TOTAL } from '../../../scrub/limits.ts';
import { wholeNumber } from '../../flags/parsers.ts';
import type { World } from '../../world.ts';
import type { ScrubFlags } from './flags.ts';
import { runScrub } from './run.ts';
import type { Load } from './secretlint.ts';

export function scrubCommand(world: World, finish: (code: number) => void, load?: Load): Command {
  return new Command('scrub')
    .description('Take secrets and personal things out of sessions, so that they can be shared. The result is audited.')
    .argument(
      '<sessions...>',
      'logs of agents or files of messages that belong together; `-` reads one from standard input',
    )
    .option('-o, --out <folder>', 'write FOLDER/NAME/session.json for each session')
    .option('--names <file>', 'JSON with names of projects, hosts and people to replace, and names to keep')
    .option('--rules <file>', 'JSON with rules of your own')
    .option('--first-message <file>', 'text that takes the place of the first user message')
    .option('--keep-system', 'keep the system prompt, scrubbed, instead of a placeholder')
    .option(
      '--max-output <chars>',
      'longest output of a tool; longer ones lose their middle',
      wholeNumber(200),
      MAX_OUTPUT,
    )
    .option(
      '--max-size <bytes>',
      'most bytes of one result; longer sessions are cut off between steps',
      wholeNumber(1000),
      MAX_SIZE,
    )
    .option('--max-total <bytes>', 'most bytes of all results together', wholeNumber(1000), MAX_TOTAL)
    .option('--report [file]', 'say what was replaced and how often, by rule; `-` or no file is standard output')
    .option('--json', 'print the report as JSON on standard output, and nothing else')
    .option('--force', 'overwrite files')
    .option('--from <format>', 'format of the sessions (default: found by content)')
    .option(
      '--since-compaction',
      'of logs, what their model saw after its last compaction (default: all that was said)',
    )
    .option('--run <n>', 'of files with several runs, take this one (default: the first)', wholeNumber(1))
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: ScrubFlags) =>
      finish(await runScrub({ world, paths, flags, load })),
    );
}

const EXAMPLES = `
Examples:
  Only say what would be replaced:
    precis scrub session.json --report
  Into fixtures/NAME/session.json, several sessions of one person together:
    precis scrub monday.jsonl tuesday.jsonl --out fixtures
  With names of projects, hosts and people, and the first message in other words:
    precis scrub session.json --names names.json --first-message task.txt --out fixtures
  With rules of your own, and the report as a file:
    precis scrub session.json --rules rules.json --out fixtures --report report.txt

names.json: {"projects": {"Rocket": "gizmo"}, "hosts": ["build-7"], "people": ["Jane Doe"], "keep": ["curl"]}
rules.json: {"rules": [{"name": "ticket", "starts": ["RKT-"], "body": "\\\\d{2,6}", "replacement": "TICKET"}]}

Exit codes: 0 done; 1 the audit found something left, and nothing was written; 2 wrong usage or input.`;
