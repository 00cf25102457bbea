import type { Compaction } from '../../../core/compact.ts';
import type { Receipt } from '../../../core/receipt/receipt.ts';
import { encodeStrictly } from '../../../formats/strict/encode-strictly.ts';
import { noteText } from '../../../sessions/index.ts';
import { writeOutput } from '../../disk/output-file.ts';
import { jsonText } from '../../screen/json-text.ts';
import { paintFor, whole } from '../../screen/paint.ts';
import { notesText, receiptText } from '../../screen/receipt-text.ts';
import type { CompactJob } from './job.ts';
import { costOf } from './summarizer.ts';

/** Prints how to fix the problem and writes nothing. Returns exit code 2. */
export async function reportRefusal(job: CompactJob, compaction: Compaction, ms: number): Promise<number> {
  const { world, flags, name, progress } = job;
  const reason = refusalText(job, compaction);
  const receipt = completeReceipt(job, { ...compaction.receipt, reason }, ms);
  progress.clear();
  if (flags.json === true) world.out(jsonText(receipt));
  world.err(`precis: ${name}: refused, nothing was written: ${reason}\n`);
  return 2;
}

function refusalText({ flags }: CompactJob, { refusal, receipt: { reason, tokens } }: Compaction): string {
  switch (refusal) {
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

/** Writes the result where it was asked for, then prints the receipt. */
export async function reportResult(job: CompactJob, compaction: Compaction, ms: number): Promise<number> {
  const { world, flags, progress, summarizer } = job;
  const { out } = flags;
  const { text, notes } = out === undefined ? { text: '', notes: [] } : written(job, compaction);
  if (out !== undefined && out !== '-') await writeOutput(world, { path: out, text }, flags);
  const made = completeReceipt(job, compaction.receipt, ms);
  const receipt = { ...made, notes: [...made.notes, ...notes] };
  const dollars = summarizer === null ? null : costOf(receipt.calls, summarizer);
  if (dollars !== null && receipt.calls.length > 0) progress.log(`the summary cost $${dollars.toFixed(4)}`);
  progress.clear();
  if (flags.json === true) {
    world.out(jsonText(receipt));
    for (const line of notesText(receipt.notes, paintFor(world.errScreen))) world.err(`${line}\n`);
  } else if (out === '-') {
    world.out(text);
    world.err(resultText(job, compaction, receipt));
  } else world.out(resultText(job, compaction, receipt));
  return 0;
}

/** The result as it is written, with a note for each change that a strict server wants. */
function written(
  { flags, document }: CompactJob,
  { conversation }: Compaction,
): { readonly text: string; readonly notes: readonly string[] } {
  if (flags.strict !== true) return { text: document.write(conversation), notes: [] };
  const { wire, notes } = encodeStrictly(document.format, conversation, STRICT);
  return {
    text: document.write(conversation, wire),
    notes: notes.map(({ message, text }) => `message ${message + 1}: ${text}`),
  };
}

/** Servers that demand more than the format does agree on these at most. */
const STRICT = { alternate: true, idChars: 40, names: true };

function resultText(job: CompactJob, compaction: Compaction, receipt: Receipt): string {
  const { world, flags, name, document, counter } = job;
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

/** The engine's receipt, with the time and with notes on mended input. */
function completeReceipt({ document }: CompactJob, receipt: Receipt, ms: number): Receipt {
  return { ...receipt, notes: [...document.notes.map(noteText), ...receipt.notes], ms };
}
