import { Command } from 'commander';
import type { Compaction } from '../../core/compact.ts';
import { PrecisError } from '../../core/errors.ts';
import type { CompactOptions } from '../../core/options.ts';
import type { ModelWindow } from '../../core/tokens/window.ts';
import { findModel } from '../../models/catalog.ts';
import { openSessionFile, type SessionDocument } from '../../sessions/index.ts';
import { wholeNumber } from '../flags.ts';
import { compactInPasses } from '../passes.ts';
import { receiptText } from '../receipt-text.ts';
import type { World } from '../world.ts';

interface CompactFlags {
  readonly from?: string;
  readonly for?: string;
  readonly window?: number;
  readonly target?: number;
  readonly tail?: number;
  readonly passes: number;
  readonly stripReasoning?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function compactCommand(world: World, finish: (code: number) => void): Command {
  return new Command('compact')
    .description('Make a session smaller without losing what matters. No key, no network, no configuration.')
    .argument('<session>', 'a JSON array of messages, an object with `messages`, or JSONL; `-` reads standard input')
    .option('--from <format>', 'format of the session: openai-chat or anthropic (default: found by content)')
    .option(
      '--target <tokens>',
      'size the result must not exceed (default: 35 % of the threshold of the window)',
      wholeNumber(1),
    )
    .option('--window <tokens>', 'context window to plan for (default: the model’s, else 128,000)', wholeNumber(16))
    .option(
      '--for <models>',
      'models the session runs on, primary first, e.g. `claude-sonnet-5,gpt-5.6`: the smallest window counts',
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
    .option('--strip-reasoning', 'remove signed reasoning of the turn going on, instead of refusing to edit before it')
    .option('-o, --out <file>', 'write the result here, in the format that was read; `-` is standard output')
    .option('--force', 'overwrite the output file')
    .option('--json', 'print the receipt as JSON on standard output, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: CompactFlags) => finish(await runCompact(world, path, flags)));
}

const EXAMPLES = `
Examples:
  precis compact session.json --target 10000 --out smaller.json
  precis compact session.jsonl --target 20k                        only say what would happen
  precis compact session.json --for claude-sonnet-5 --out -        to the default target of that model, to standard output
  precis compact session.json --target 10000 --passes 5 --json     five compactions in a row, receipt of the last
  cat session.json | precis compact - --target 10000 --out smaller.json`;

async function runCompact(world: World, path: string, flags: CompactFlags): Promise<number> {
  if (flags.json === true && flags.out === '-')
    throw new PrecisError(
      'bad-option',
      '`--json` and `--out -` both want standard output; write the result to a file, or leave out `--json`',
    );
  await refuseOverwrite(world, flags);
  const { o200k } = await import('../../models/o200k.ts');
  const document = await openSessionFile(path, flags.from === undefined ? {} : { format: flags.from });
  const options: CompactOptions = {
    ...limitsFrom(flags),
    counter: o200k,
    now: world.now,
    ...(flags.stripReasoning === true ? { openReasoning: 'strip' as const } : {}),
  };
  const started = world.now();
  const compaction = await compactInPasses({
    conversation: document.conversation,
    format: document.format,
    passes: flags.passes,
    options,
    onPass: (pass, { receipt }) => {
      if (flags.passes > 1)
        world.err(
          `pass ${pass} of ${flags.passes}: ${receipt.outcome}, ${receipt.tokens.before} to ${receipt.tokens.after} tokens\n`,
        );
    },
  });
  return report({ world, document, compaction, flags, name: path, ms: world.now() - started });
}

async function refuseOverwrite(world: World, { out, force }: CompactFlags): Promise<void> {
  if (out === undefined || out === '-' || force === true) return;
  if (await world.exists(out))
    throw new PrecisError('bad-option', `${out}: exists already; choose another file or overwrite it with \`--force\``);
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

function chainOf(names: string, windowKnown: boolean): readonly ModelWindow[] {
  return names.split(',').flatMap((name) => {
    const model = findModel(name.trim());
    if (model !== null) return [{ id: model.id, contextWindow: model.contextWindow, maxOutput: model.maxOutput }];
    if (windowKnown) return [];
    throw new PrecisError(
      'bad-option',
      `Expected \`--for\` to name known models, got \`${name.trim()}\`; say how large its window is with \`--window <tokens>\``,
    );
  });
}

interface ReportInput {
  readonly world: World;
  readonly document: SessionDocument;
  readonly compaction: Compaction;
  readonly flags: CompactFlags;
  readonly name: string;
  readonly ms: number;
}

async function report({ world, document, compaction, flags, name, ms }: ReportInput): Promise<number> {
  const notes = document.notes.map(({ message, text }) => `message ${message}: ${text}`);
  const receipt = { ...compaction.receipt, notes: [...notes, ...compaction.receipt.notes], ms: Math.round(ms) };
  if (compaction.outcome === 'refused') {
    if (flags.json === true) world.out(`${JSON.stringify(receipt, null, 2)}\n`);
    world.err(`precis: ${name}: refused, nothing was written: ${receipt.reason}${remedyFor(compaction)}\n`);
    return 2;
  }
  const text = flags.out === undefined ? null : document.write(compaction.conversation);
  if (text !== null && flags.out !== undefined && flags.out !== '-') await writeOut(world, flags.out, text);
  if (flags.json === true) world.out(`${JSON.stringify(receipt, null, 2)}\n`);
  else {
    const summary = receiptText({
      name,
      receipt,
      before: document.conversation,
      after: compaction.conversation,
      out: flags.out ?? null,
    });
    if (flags.out === '-') {
      world.out(text ?? '');
      world.err(summary);
    } else world.out(summary);
  }
  return 0;
}

async function writeOut(world: World, path: string, text: string): Promise<void> {
  try {
    await world.write(path, text);
  } catch (error) {
    throw new PrecisError(
      'bad-input',
      `${path}: expected a place that can be written, but writing failed (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`,
    );
  }
}

function remedyFor({ refusal }: Compaction): string {
  return refusal === 'open-reasoning' ? ' (`--strip-reasoning`)' : '';
}
