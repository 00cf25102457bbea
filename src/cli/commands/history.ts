import { Command } from 'commander';
import type { Context } from '../../context/context.ts';
import { recallText } from '../../context/recall/recall-tool.ts';
import { diffText } from '../../context/timeline/diff.ts';
import { allText } from '../../core/conversation/message.ts';
import { checkSound } from '../../core/conversation/sound.ts';
import { PrecisError } from '../../core/errors.ts';
import { formatById } from '../../formats/detect.ts';
import type { Environment } from '../../models/providers.ts';
import type { SqliteStore } from '../../stores/index.ts';
import { chosenContext, existingStore, openKept } from '../disk/kept-session.ts';
import { checkOutput, writeOutput } from '../disk/output-file.ts';
import { wholeNumber } from '../flags.ts';
import { whole } from '../screen/paint.ts';
import type { World } from '../world.ts';

interface HistoryFlags {
  readonly context?: string;
  readonly tokens: number;
  readonly view?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly olderThan?: number;
  readonly maxSize?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Job {
  readonly world: World;
  readonly file: string;
  readonly words: readonly string[];
  readonly flags: HistoryFlags;
  readonly store: SqliteStore;
}

type Action = (job: Job) => Promise<void>;

export function historyCommand(world: World, env: Environment = process.env): Command {
  return new Command('history')
    .description('Look into a store: what was said, what a compaction took out, take it back, search it.')
    .argument('<file>', 'a store, as `precis compact SESSION --store FILE` makes one')
    .argument('[action]', `what to do: ${Object.keys(ACTIONS).join(', ')}`, 'list')
    .argument('[words...]', 'an id, a ref, a message number, or a question in plain words')
    .option('--context <id>', 'which session of the store (default: the newest)')
    .option('--tokens <n>', 'search: size of the answer', wholeNumber(200), 1_500)
    .option(
      '--view <id>',
      'export: the view right after a compaction (default: all that was said; `now` for the present view)',
    )
    .option('-o, --out <file>', 'export: write here (default: standard output)')
    .option('--force', 'export: overwrite the file')
    .option('--older-than <days>', 'gc: sessions that nothing was added to for so long', wholeNumber(0))
    .option('--max-size <megabytes>', 'gc: the oldest sessions, until the file is no larger', wholeNumber(1))
    .option('--dry-run', 'gc: only say what would go')
    .option('--json', 'print JSON on standard output, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, action: string, words: readonly string[], flags: HistoryFlags) => {
      const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
      if (run === undefined) {
        const known = Object.keys(ACTIONS).join(', ');
        throw new PrecisError('bad-option', `Expected an action, one of ${known}, got \`${action}\``);
      }
      if (ALONE.has(action) && words.length > 0)
        throw new PrecisError('bad-option', `Expected nothing after \`${action}\`, got \`${words.join(' ')}\``);
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
  Keep the history while compacting, then look into it:
    precis compact session.json --target 10000 --store session.db --out smaller.json
    precis history session.db
  What a compaction took out of the view, and taking it back:
    precis history session.db diff c1
    precis history session.db undo
    precis history session.db export --view now --out again.json
  Find something that is no longer in the view:
    precis history session.db search "Which port does the staging server use?"
    precis history session.db show r:0f3a9c2b7d1e4
    precis history session.db show 12
  Make room:
    precis history session.db gc --older-than 30 --dry-run

A store is a SQLite file that only its owner can read. With ${'PRECIS_STORE_KEY'} set it is encrypted
from the first day, and cannot be read without.`;

/** Actions that take nothing more. */
const ALONE: ReadonlySet<string> = new Set(['list', 'undo', 'export', 'gc']);

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

async function opened(job: Job, access: 'read' | 'write'): Promise<Context> {
  const { id } = await chosenContext(job.store, job.file, job.flags.context);
  const { o200k } = await import('../../models/o200k.ts');
  return openKept({ store: job.store, id, counter: o200k, access });
}

async function list(job: Job): Promise<void> {
  const { world, store, flags } = job;
  const chosen = flags.context === undefined ? null : await chosenContext(store, job.file, flags.context);
  const contexts = (await store.contexts()).filter(
    ({ id, messages }) => messages > 0 && (chosen === null || id === chosen.id),
  );
  const rows: unknown[] = [];
  for (const info of contexts) {
    const context = await opened({ ...job, flags: { ...flags, context: info.id } }, 'read');
    const compactions = context.compactions().map(({ id, at, before, receipt }) => ({
      id,
      at: new Date(at).toISOString(),
      before,
      outcome: receipt.outcome,
      tokens: receipt.tokens,
      messages: receipt.messages,
    }));
    const { tokens } = await context.prepare();
    await context.close();
    rows.push({ ...info, viewTokens: tokens, compactions });
    if (flags.json === true) continue;
    const when =
      info.lastAt === null
        ? ''
        : `, last written ${new Date(info.lastAt).toISOString().slice(0, 16).replace('T', ' ')}`;
    world.out(`${info.id}: ${whole(info.messages)} messages, view of ${whole(tokens)} tokens${when}\n`);
    for (const { id, outcome, tokens: size } of compactions)
      world.out(`  ${id}  ${outcome}  ${whole(size.before)} → ${whole(size.after)} tokens\n`);
  }
  if (flags.json === true) world.out(json(rows));
}

async function show(job: Job): Promise<void> {
  const { world, flags, words } = job;
  const place = need(
    job,
    words.join(' '),
    'a compaction such as c1, a ref such as r:0f3a9c2b7d1e4, or a message number such as 12',
  );
  const context = await opened(job, 'read');
  const compaction = context.compactions().find(({ id }) => id === place);
  if (compaction !== undefined) {
    world.out(json(compaction.receipt));
    return;
  }
  const number = /^#?(\d{1,9})$/.exec(place)?.[1];
  if (number !== undefined) {
    const history = context.conversation().history ?? [];
    const message = history[Number(number) - 1];
    if (message === undefined)
      throw new PrecisError(
        'bad-option',
        `${job.file}: expected a message number from 1 to ${history.length}, got \`${place}\``,
      );
    world.out(flags.json === true ? json(message.raw ?? message) : `${message.role}: ${allText(message)}\n`);
    return;
  }
  const recalled = context.original(place) === null ? null : await context.search(place, { tokens: WHOLE_TOKENS });
  if (recalled === null)
    throw new PrecisError(
      'bad-option',
      `${job.file}: there is no original for \`${place}\`; to look for words take \`search\``,
    );
  world.out(flags.json === true ? json(recalled) : `${recallText(recalled)}\n`);
}

async function diff(job: Job): Promise<void> {
  const context = await opened(job, 'read');
  const data = context.diff(job.words[0]);
  job.world.out(job.flags.json === true ? json(data) : diffText(data));
}

async function undo(job: Job): Promise<void> {
  const context = await opened(job, 'write');
  try {
    const last = context.viewId();
    const prepared = await context.undo();
    if (prepared === null) throw new PrecisError('bad-option', `${job.file}: there is no compaction to take back`);
    report(job, prepared.tokens, `${last ?? 'the last compaction'} is taken back`);
  } finally {
    await context.close();
  }
}

async function restore(job: Job): Promise<void> {
  const place = need(job, job.words[0], 'a compaction such as c1, or `all` for all that was said');
  const context = await opened(job, 'write');
  try {
    const { tokens } = await context.restore(place === 'all' ? null : place);
    report(job, tokens, place === 'all' ? 'the view is all that was said' : `the view is that of ${place}`);
  } finally {
    await context.close();
  }
}

async function search(job: Job): Promise<void> {
  const { world, flags } = job;
  const question = need(job, job.words.join(' '), 'a question in plain words');
  const context = await opened(job, 'read');
  const found = await context.search(question, { tokens: flags.tokens });
  world.out(flags.json === true ? json(found) : `${recallText(found)}\n`);
}

async function exportSession(job: Job): Promise<void> {
  const { world, flags } = job;
  const { out, view } = flags;
  if (out !== undefined) await checkOutput(world, out, flags.force === true);
  const context = await opened(job, 'read');
  const conversation = context.conversation();
  const format = formatById(conversation.format);
  const messages =
    view === undefined
      ? (conversation.history ?? conversation.messages)
      : view === 'now'
        ? conversation.messages
        : context.viewOf(view);
  const checked = format === null ? null : checkSound({ ...conversation, messages }, format);
  if (format === null || checked?.type !== 'sound')
    throw new PrecisError(
      'bad-input',
      `${job.file}: the session cannot be written in its format ${conversation.format}`,
    );
  const text = json(format.encode(checked.conversation));
  if (out === undefined) world.out(text);
  else {
    await writeOutput(world, out, text, flags.force === true);
    world.err(`Written to ${out}: ${whole(messages.length)} messages.\n`);
  }
}

/** More than any original has. */
const WHOLE_TOKENS = 100_000_000;
const DAY_MS = 86_400_000;

async function gc(job: Job): Promise<void> {
  const { world, flags, file, store } = job;
  const { olderThan, maxSize, context } = flags;
  if (olderThan === undefined && maxSize === undefined && context === undefined)
    throw new PrecisError(
      'bad-option',
      `${file}: say what may go, by \`--older-than\`, \`--max-size\` or \`--context\``,
    );
  if (context !== undefined) await chosenContext(store, file, context);
  const report = await store.gc({
    ...(olderThan === undefined ? {} : { olderThanMs: olderThan * DAY_MS }),
    ...(maxSize === undefined ? {} : { maxBytes: maxSize * 1_000_000 }),
    ...(context === undefined ? {} : { contexts: [context] }),
    dryRun: flags.dryRun === true,
  });
  if (flags.json === true) {
    world.out(json(report));
    return;
  }
  const verb = flags.dryRun === true ? 'would go' : 'removed';
  for (const { id, messages, bytes } of report.removed)
    world.out(`${id}: ${whole(messages)} messages, ${megabytes(bytes)} ${verb}\n`);
  for (const id of report.held) world.out(`${id}: stays, it is being written to\n`);
  world.out(`${file}: ${megabytes(report.bytesBefore)} → ${megabytes(report.bytesAfter)}\n`);
}

function report({ world, flags, file }: Job, tokens: number, sentence: string): void {
  if (flags.json === true) world.out(json({ tokens }));
  else world.out(`${file}: ${sentence}; it has ${whole(tokens)} tokens. \`export --view now\` writes it.\n`);
}

function need({ file }: Job, given: string | undefined, expected: string): string {
  if (given !== undefined && given.trim() !== '') return given;
  throw new PrecisError('bad-option', `${file}: expected ${expected}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
