import { Command } from 'commander';
import { addedTo, duration, names, wholeNumber } from '../../flags/parsers.ts';
import type { World } from '../../world.ts';
import { type ReplayFlags, runReplay } from './run.ts';

/** What the models that most agents run on accept. */
const USUAL_WINDOW = 200_000;

export function replayCommand(world: World): Command {
  return new Command('replay')
    .description('Replay recorded sessions under many policies: what each would have cost, cut and kept.')
    .argument('<sessions...>', 'logs of agents or files of messages; folders are searched')
    .option('--policies <ids>', 'policies to replay, with commas (default: all that come with precis)', names)
    .option('--policy <file>', 'a module whose default export is a policy of yours; may be repeated', addedTo)
    .option('--prices <ids>', 'prices and cache rules, with commas (default: anthropic-5m,openai-5.6)', names)
    .option('--window <tokens>', 'tokens that a request may hold', wholeNumber(1000), USUAL_WINDOW)
    .option('--pace <time>', 'time between requests where a log has none, such as 5m (default: 30s)', duration)
    .option('--seed <n>', 'for providers whose cache is not always found', wholeNumber(0), 1)
    .option('--json', 'print all results as JSON on standard output, and nothing else')
    .option('--markdown <file>', 'write a report as Markdown; `-`: to standard output')
    .option('--html <file>', 'write a report with plots, one page that needs nothing else; `-`: to standard output')
    .option('--force', 'overwrite files')
    .option('--workers <n>', 'threads; 0 works in this one (default: one for each core)', wholeNumber(0))
    .addHelpText('after', EXAMPLES)
    .action((paths: readonly string[], flags: ReplayFlags) => runReplay(world, paths, flags));
}

const EXAMPLES = `
Examples:
  Every policy over one session:
    precis replay session.jsonl
  Ours beside two others over a folder, with plots:
    precis replay ./logs --policies none,summary-85,precis --html replay.html
  A policy of your own, in a smaller window, as JSON:
    precis replay session.jsonl --policy ./mine.js --window 128k --json

Nothing is sent anywhere. What the agent would have done after a compaction is not
modelled: see docs/replay.md.`;
