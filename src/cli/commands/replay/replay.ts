import { Command } from 'commander';
import { addedTo, duration, names, wholeNumber } from '../../flags/parsers.ts';
import type { World } from '../../world.ts';
import { type ReplayFlags, runReplay } from './run.ts';

/** The window of the models that most agents run on. */
const USUAL_WINDOW = 200_000;

export function replayCommand(world: World): Command {
  return new Command('replay')
    .summary('replay sessions under many policies and compare the cost')
    .description('Replay recorded sessions under many policies: what would each have cost, cut and kept?')
    .argument('<sessions...>', 'agent logs, message files, or folders to search')
    .option(
      '--policies <ids>',
      'policies to replay, comma-separated (default: all built-in ones; with --policy: none,summary-85,precis)',
      names,
    )
    .option('--policy <file>', 'module whose default export is your own policy; repeatable', addedTo)
    .option('--prices <ids>', 'prices and cache rules, comma-separated (default: anthropic-5m,openai-5.6)', names)
    .option('--window <tokens>', 'largest request', wholeNumber(1000), USUAL_WINDOW)
    .option('--pace <time>', 'time between requests if the log has no times, e.g. 5m (default: 30s)', duration)
    .option('--seed <n>', 'random seed, for providers that do not always find their cache', wholeNumber(0), 1)
    .option('--json', 'print all results as JSON and nothing else')
    .option('--markdown <file>', 'write a Markdown report; `-` is standard output')
    .option('--html <file>', 'write a report with plots as one self-contained page; `-` is standard output')
    .option('--force', 'overwrite files')
    .option('--workers <n>', 'number of threads; 0 uses only the main thread (default: one per core)', wholeNumber(0))
    .addHelpText('after', EXAMPLES)
    .action((paths: readonly string[], flags: ReplayFlags) => runReplay(world, paths, flags));
}

const EXAMPLES = `
Examples:
  Replay one session under every policy:
    precis replay session.jsonl
  Compare precis with two others over a folder, with plots:
    precis replay ./logs --policies none,summary-85,precis --html replay.html
  Replay under your own policy in a smaller window, and print JSON:
    precis replay session.jsonl --policy ./mine.js --window 128k --json

Nothing is sent anywhere. The replay does not model what the agent would have
done after a compaction: see docs/replay.md.`;
