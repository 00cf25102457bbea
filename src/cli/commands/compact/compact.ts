import { Command } from 'commander';
import type { Compaction } from '../../../core/compact.ts';
import { type Part, resultTextOf } from '../../../core/conversation/message.ts';
import { PrecisError } from '../../../core/errors.ts';
import type { Summarizer } from '../../../core/model.ts';
import type { CompactOptions } from '../../../core/options.ts';
import type { Receipt } from '../../../core/receipt/receipt.ts';
import type { TokenCounter } from '../../../core/tokens/counter.ts';
import { createMeasure } from '../../../core/tokens/measure.ts';
import { formats } from '../../../formats/index.ts';
import type { Environment } from '../../../models/providers.ts';
import { noteText, type SessionDocument, sessionName } from '../../../sessions/index.ts';
import { checkOutput, writeOutput } from '../../disk/output-file.ts';
import { headings, wholeNumber } from '../../flags.ts';
import { chainOf } from '../../models/chain.ts';
import type { FoundConfig } from '../../models/config.ts';
import { costOf, estimateOf, summarizerFrom } from '../../models/summarizer.ts';
import { paintFor, whole } from '../../screen/paint.ts';
import { createProgress, type Progress } from '../../screen/progress.ts';
import { notesText, receiptText } from '../../screen/receipt-text.ts';
import { openOptions, type SessionFlags } from '../../session-flags.ts';
import type { World } from '../../world.ts';
import { compactInPasses, type Keeper } from './passes.ts';

interface CompactFlags extends SessionFlags {
  readonly for?: string;
  readonly window?: number;
  readonly target?: number;
  readonly tail?: number;
  readonly passes: number;
  readonly stripReasoning?: boolean;
  readonly model?: string;
  readonly fallback?: string;
  readonly focus?: string;
  readonly template?: readonly string[];
  readonly config?: string;
  readonly store?: string;
  readonly context?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function compactCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  return new Command('compact')
    .description('Make a session smaller without losing what matters. No key, no network, no configuration.')
    .argument(
      '<session>',
      'the log of an agent, a JSON array of messages, an object with `messages`, or JSONL; `-` reads standard input',
    )
    .option(
      '--target <tokens>',
      'size the result must not exceed, e.g. 10000 or 10k (default: 35 % of the threshold of the window)',
      wholeNumber(1),
    )
    .option(
      '-o, --out <file>',
      'write the result here, in the format that was read (of a log: as plain messages); `-` is standard output',
    )
    .option('--force', 'overwrite the output file')
    .option('--json', 'print the receipt as JSON on standard output, and nothing else')
    .option(
      '--from <format>',
      `format of the session: ${formats.map(({ id }) => id).join(', ')} (default: found by content)`,
    )
    .option(
      '--since-compaction',
      'of a log, take what its model saw after its last compaction (default: all that was said)',
    )
    .option('--run <n>', 'of a file with several runs, take this one (default: the first)', wholeNumber(1))
    .option(
      '--for <models>',
      'models the session runs on, primary first, e.g. claude-sonnet-5,gpt-5.5; the smallest window counts',
    )
    .option(
      '--window <tokens>',
      'context window to plan for (default: that of the models, else 128,000)',
      wholeNumber(16),
    )
    .option(
      '--tail <tokens>',
      'newest messages to keep word for word (default: a sixth of the target, at most 25,000)',
      wholeNumber(0),
    )
    .option(
      '--passes <n>',
      'cut the session into n parts and compact after each, as a living session would',
      wholeNumber(1),
      1,
    )
    .option(
      '--model <name>',
      'model that writes a summary besides, e.g. anthropic/claude-haiku-4-5 or ollama/llama3.3; see `precis models`',
    )
    .option('--fallback <names>', 'models to ask when it fails, in order, separated by commas')
    .option('--focus <topic>', 'topic that the summary gives most of its space to')
    .option('--template <headings>', 'headings the summary is written under, in order, separated by commas', headings)
    .option('--config <file>', 'configuration to read (default: precis.config.json, if there is one)')
    .option(
      '--store <file>',
      'keep the history in this file, so that it can be searched and the compaction undone; see `precis history`',
    )
    .option('--context <id>', 'name of the session in the store (default: the name of the file)')
    .option('--strip-reasoning', 'remove signed reasoning of the turn going on, instead of refusing to edit before it')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: CompactFlags) => finish(await runCompact(world, path, flags, env)));
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

async function runCompact(world: World, path: string, given: CompactFlags, env: Environment): Promise<number> {
  const found = await configFor(world, given);
  const flags = withConfig(given, found);
  const written = await summarizerFrom(flags, found, env);
  for (const warning of written?.warnings ?? []) world.err(`note: ${warning}\n`);
  if (flags.json === true && flags.out === '-')
    throw new PrecisError(
      'bad-option',
      '`--json` and `--out -` both want standard output; write the result to a file, or leave out `--json`',
    );
  if (flags.out !== undefined && flags.out !== '-') await checkOutput(world, flags.out, flags.force === true);
  const limits = limitsFrom(flags);
  const name = sessionName(path);
  const document = await world.open(path, openOptions(flags));
  if (document.shape === 'log' && flags.out !== undefined)
    world.err(
      `note: ${document.source.title} is never written to; the result is plain messages in the format ${document.format.id}\n`,
    );
  const progress = createProgress(world, charactersOf(document) * flags.passes);
  const { o200k } = await import('../../../models/o200k.ts');
  const summarizer = written?.summarizer ?? null;
  const job: Job = { world, flags, name, document, counter: o200k, progress, summarizer };
  if (summarizer !== null) progress.log(announcement(job, summarizer));
  if (summarizer !== null && flags.out === undefined)
    progress.log('the summary is paid for but not kept: add `--out FILE`');
  const started = world.now();
  const kept = flags.store === undefined ? null : await keeperFor(job, path, flags.store, env);
  try {
    const compaction = await compactOnce(job, limits, kept?.keeper ?? null);
    const ms = Math.round(world.now() - started);
    if (compaction.outcome === 'refused') return await reportRefusal(job, compaction, ms);
    return await reportResult(job, compaction, ms);
  } finally {
    await kept?.close();
    progress.clear();
  }
}

/** Where the history goes. A store that cannot be opened is found out before any work is done, and one that fails stops it. */
async function keeperFor(
  { flags, counter, document, progress }: Job,
  path: string,
  file: string,
  env: Environment,
): Promise<Kept> {
  const { contextIdOf, openFor, openStore } = await import('../../disk/kept-session.ts');
  const store = await openStore(file, env);
  const id = flags.context ?? contextIdOf(path);
  const context = await openFor({ store, id, counter }, document.conversation, flags.context !== undefined);
  if (context.id !== id) progress.log(`the store has another session called ${id}; this one is kept as ${context.id}`);
  let failure: unknown = null;
  context.on('store:error', ({ error }) => {
    failure = error;
  });
  const orFail = <T>(value: T): T => {
    if (failure !== null) throw failure;
    return value;
  };
  return {
    keeper: {
      absorb: async (conversation) => orFail(await context.absorb(conversation)),
      accept: async (compaction) => orFail(await context.accept(compaction)),
    },
    close: async () => {
      await context.close();
      await store.close();
    },
  };
}

interface Kept {
  readonly keeper: Keeper;
  readonly close: () => Promise<void>;
}

/** About how much there is to go through. */
function charactersOf({ conversation }: SessionDocument): number {
  return conversation.messages.reduce(
    (sum, message) => sum + message.parts.reduce((part, each) => part + sizeOf(each), 0),
    0,
  );
}

function sizeOf(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length;
    case 'tool-call':
      return part.arguments.length;
    case 'tool-result':
      return resultTextOf(part).length;
    case 'opaque':
      return part.json.length;
    case 'image':
      return part.url?.length ?? 0;
    case 'file':
      return part.bytes;
  }
}

interface Job {
  readonly world: World;
  readonly flags: CompactFlags;
  readonly name: string;
  readonly document: SessionDocument;
  readonly counter: TokenCounter;
  readonly progress: Progress;
  readonly summarizer: Summarizer | null;
}

/** The schema library is loaded only when there is something to read. */
async function configFor(world: World, { config }: CompactFlags): Promise<FoundConfig | null> {
  if (config === undefined && (await world.kindOf('precis.config.json')) !== 'file') return null;
  const { loadConfig } = await import('../../models/config.ts');
  return loadConfig(world, config);
}

/** Flags win over the configuration. */
function withConfig(flags: CompactFlags, found: FoundConfig | null): CompactFlags {
  const { target, window, template } = found?.config ?? {};
  return {
    ...flags,
    ...(flags.template === undefined && template !== undefined ? { template } : {}),
    ...(flags.target === undefined && target !== undefined ? { target } : {}),
    ...(flags.window === undefined && flags.for === undefined && window !== undefined ? { window } : {}),
  };
}

/** Which model is going to read the session, and about what that costs. */
function announcement({ document, counter }: Job, summarizer: Summarizer): string {
  const tokens = createMeasure(counter).conversation(document.conversation);
  const dollars = estimateOf(tokens, summarizer);
  const price = dollars === null ? 'at a price that is not known' : `for about $${dollars.toFixed(4)} a pass`;
  return `${summarizer.models.map((model) => model.id).join(', then ')} will read up to ${whole(tokens)} tokens ${price}`;
}

/** The target alone is enough: it says what must fit, so a window that is only assumed must not get in its way. */
function limitsFrom({ for: names, window, target, tail }: CompactFlags): CompactOptions {
  const models = names === undefined ? null : chainOf(names, window !== undefined);
  const assumed =
    target !== undefined && window === undefined && models === null ? Math.max(128_000, target * 2) : window;
  return {
    ...(models === null || models.length === 0 ? {} : { models }),
    ...(assumed === undefined ? {} : { window: assumed }),
    ...(target === undefined ? {} : { target }),
    ...(tail === undefined ? {} : { tailTokens: tail }),
  };
}

async function compactOnce(job: Job, limits: CompactOptions, keeper: Keeper | null): Promise<Compaction> {
  const { world, flags, document, counter, name, progress } = job;
  return compactInPasses({
    conversation: document.conversation,
    format: document.format,
    passes: flags.passes,
    ...(keeper === null ? {} : { keeper }),
    options: {
      ...limits,
      counter,
      now: world.now,
      ...(flags.stripReasoning === true ? { openReasoning: 'strip' as const } : {}),
      ...(job.summarizer === null ? {} : { summarizer: job.summarizer }),
      ...(flags.focus === undefined ? {} : { focus: flags.focus }),
      ...(flags.template === undefined ? {} : { template: flags.template }),
      onText: (characters) =>
        progress.say(`${job.summarizer?.models[0]?.id ?? 'model'} is writing … ${whole(characters)} characters`),
    },
    onStart: (pass, passes) => progress.say(`Compacting ${name} …${passes > 1 ? ` pass ${pass} of ${passes}` : ''}`),
    onPass: (pass, passes, { receipt: { outcome, tokens } }) => {
      if (passes > 1)
        progress.log(`pass ${pass} of ${passes}: ${outcome}, ${whole(tokens.before)} → ${whole(tokens.after)} tokens`);
    },
  });
}

/** Exit code 2, a sentence that says what would work, and nothing written. */
async function reportRefusal(job: Job, compaction: Compaction, ms: number): Promise<number> {
  const { world, flags, name, progress } = job;
  const reason = reasonOf(job, compaction);
  const receipt = receiptOf(job, { ...compaction.receipt, reason }, ms);
  progress.clear();
  if (flags.json === true) world.out(jsonText(receipt));
  world.err(`precis: ${name}: refused, nothing was written: ${reason}\n`);
  return 2;
}

function reasonOf(job: Job, compaction: Compaction): string {
  const { flags } = job;
  const { reason, tokens } = compaction.receipt;
  switch (compaction.refusal) {
    case 'target-too-small': {
      const limit = flags.target === undefined ? `a window of ${tokens.window} and its` : 'the';
      const verb = flags.target === undefined ? 'are' : 'is';
      return `${limit} target of ${tokens.target} ${verb} too small: ${reason}`;
    }
    case 'open-reasoning':
      return `${reason} (\`--strip-reasoning\`)`;
    case 'nothing-to-compact':
      return flags.tail === undefined ? reason : `${reason}; ask for a shorter \`--tail\``;
    default:
      return reason;
  }
}

async function reportResult(job: Job, compaction: Compaction, ms: number): Promise<number> {
  const { world, flags, document, progress } = job;
  const { out } = flags;
  const text = out === undefined ? null : document.write(compaction.conversation);
  if (text !== null && out !== undefined && out !== '-') await writeOutput(world, out, text, flags.force === true);
  const receipt = receiptOf(job, compaction.receipt, ms);
  const dollars = job.summarizer === null ? null : costOf(receipt.calls, job.summarizer.models);
  if (dollars !== null && receipt.calls.length > 0) progress.log(`the summary cost $${dollars.toFixed(4)}`);
  progress.clear();
  if (flags.json === true) {
    world.out(jsonText(receipt));
    for (const line of notesText(receipt.notes, paintFor(world.errScreen))) world.err(`${line}\n`);
  } else if (out === '-') {
    world.out(text ?? '');
    world.err(summaryOf(job, compaction, receipt));
  } else world.out(summaryOf(job, compaction, receipt));
  return 0;
}

function summaryOf({ world, flags, name, document, counter }: Job, compaction: Compaction, receipt: Receipt): string {
  const screen = flags.out === '-' ? world.errScreen : world.outScreen;
  const paint = paintFor(screen);
  const head = `${paint('bold', name)}: ${paint(receipt.outcome === 'unchanged' ? 'yellow' : 'green', receipt.outcome)}`;
  const body = receiptText({
    receipt,
    before: document.conversation,
    after: compaction.conversation,
    counter,
    screen,
  });
  const place = flags.out === '-' ? 'standard output' : flags.out;
  const isCopy = receipt.outcome === 'unchanged' && document.notes.length === 0 && document.shape !== 'log';
  const foot =
    place === undefined
      ? 'Nothing was written; add `--out FILE` to keep the result.'
      : `${isCopy ? 'Copied' : 'Written'} to ${place} in ${whole(receipt.ms)} ms.`;
  return `${head}\n\n${body}${foot}\n`;
}

/** The receipt of the engine, with what was mended while reading. */
function receiptOf({ document }: Job, receipt: Receipt, ms: number): Receipt {
  const mended = document.notes.map(noteText);
  return { ...receipt, notes: [...mended, ...receipt.notes], ms };
}

function jsonText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`;
}
