import { Command } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import type { Environment } from '../../../models/providers.ts';
import { wholeNumber } from '../../flags/parsers.ts';
import { existingStore, KEY_VARIABLE } from '../../store/open-store.ts';
import type { World } from '../../world.ts';
import { exportSession } from './export.ts';
import { gc } from './gc.ts';
import type { HistoryFlags, HistoryJob } from './job.ts';
import { list } from './list.ts';
import { search, show } from './look-up.ts';
import { diff, restore, undo } from './views.ts';

type Action = (job: HistoryJob) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list,
  show,
  diff,
  undo,
  restore,
  search,
  export: exportSession,
  gc,
};

/** Actions that take no further words. */
const ALONE: ReadonlySet<string> = new Set(['list', 'undo', 'export', 'gc']);

type Given = readonly [file: string, action: string, words: readonly string[], flags: HistoryFlags];

export function historyCommand(world: World, env: Environment = process.env): Command {
  return new Command('history')
    .summary('list, search, undo or export the sessions in a store')
    .description('List, search, undo or export the sessions in a store.')
    .argument('<file>', 'store made by `precis compact SESSION --store FILE`')
    .argument('[action]', `one of ${Object.keys(ACTIONS).join(', ')}`, 'list')
    .argument('[words...]', 'compaction id, ref, message number, or question in plain words')
    .option('--context <id>', 'session in the store (default: the newest)')
    .option('--tokens <n>', 'search: size of the answer in tokens', wholeNumber(200), 1_500)
    .option(
      '--view <id>',
      'export: the view after this compaction, or `now` for the current view (default: the whole history)',
    )
    .option('-o, --out <file>', 'export: output file (default: standard output)')
    .option('--force', 'export: overwrite the file')
    .option('--older-than <days>', 'gc: remove sessions unchanged for this many days', wholeNumber(0))
    .option(
      '--max-size <megabytes>',
      'gc: remove the oldest sessions until the file is no larger than this',
      wholeNumber(1),
    )
    .option('--dry-run', 'gc: only list what would be removed')
    .option('--json', 'print JSON and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (...[file, action, words, flags]: Given) => {
      const run = actionNamed(action, words);
      const store = await existingStore(world, file, env);
      try {
        await run({ world, file, words, flags, store });
      } finally {
        await store.close();
      }
    });
}

const EXAMPLES = `
Examples:
  Keep the history while compacting, then list it:
    precis compact session.json --target 10000 --out smaller.json \\
      --store session.db
    precis history session.db
  See what a compaction removed from the view, and undo it:
    precis history session.db diff c1
    precis history session.db undo
    precis history session.db export --view now --out again.json
  Find something that is no longer in the view:
    precis history session.db search "Which port does the staging server use?"
    precis history session.db show r:0f3a9c2b7d1e4
    precis history session.db show 12
  See how much space old sessions take:
    precis history session.db gc --older-than 30 --dry-run

A store is a SQLite file that only its owner can read. To encrypt it, set
${KEY_VARIABLE} before you create it; reading it then needs the same key.`;

function actionNamed(action: string, words: readonly string[]): Action {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run === undefined) {
    const known = Object.keys(ACTIONS).join(', ');
    throw new PrecisError('bad-option', `Expected an action, one of ${known}, got \`${action}\``);
  }
  if (ALONE.has(action) && words.length > 0)
    throw new PrecisError('bad-option', `Expected nothing after \`${action}\`, got \`${words.join(' ')}\``);
  return run;
}
