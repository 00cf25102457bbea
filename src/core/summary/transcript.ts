import { PASSAGE_CHARS } from '../language/passages.ts';
import type { DidEntry, Entry, Passage, SaidEntry } from '../record/entry.ts';
import { redactText } from '../redact/redact.ts';

/** How much of one entry a summariser reads: both ends, so that neither the command nor its result is lost. */
export interface EntryCap {
  readonly headChars: number;
  readonly tailChars: number;
  /** Factor for words that people and the agent wrote themselves, in messages and in call arguments. */
  readonly ownWords: number;
}

/**
 * From generous to tight. The first is for a transcript that one request holds: no model can tell what it was not shown. Entries that are still
 * too large at the last cap are left to quotes.
 */
export const CAPS: readonly EntryCap[] = [
  { headChars: 4_000, tailChars: 1_500, ownWords: 5 },
  { headChars: 4_000, tailChars: 1_500, ownWords: 1 },
  { headChars: 1_200, tailChars: 600, ownWords: 1 },
  { headChars: 400, tailChars: 200, ownWords: 1 },
];

/** File contents that were only looked at are worth less than events. */
const LOOKUP_SHARE = 0.35;

/**
 * The folded part of a history as a summariser reads it: the originals, one block for each entry, with numbers, speakers, calls and how they
 * ended. Secrets are redacted, and lines that repeat go in once.
 */
export function transcriptBlocks(entries: readonly Entry[], cap: EntryCap): readonly string[] {
  const seen = new Set<string>();
  const blocks: string[] = [];
  for (const entry of entries) {
    if (entry.type !== 'said' && entry.type !== 'did') continue;
    blocks.push(redactText(blockOf(entry, bounded(bodyOf(entry, seen), capFor(entry, cap)))));
  }
  return blocks;
}

function blockOf(entry: SaidEntry | DidEntry, body: string): string {
  if (entry.type === 'said') return `#${entry.number} ${entry.heading}: ${body.replaceAll('\n', '\n  ')}`;
  const fixed = entry.fixedBy === null ? '' : `, fixed by #${entry.fixedBy}`;
  const head = `#${entry.number} ${entry.heading}${entry.failed ? ` → failed${fixed}` : ''}`;
  return body === '' ? head : `${head}\n  ${body.replaceAll('\n', '\n  ')}`;
}

/** The text of an entry, without lines that an earlier entry already said. */
function bodyOf(entry: Entry, seen: Set<string>): string {
  const lines: string[] = [];
  let repeated = 0;
  let wasCut = false;
  for (const passage of entry.passages) {
    const isLong = passage.text.length >= REPEATED_CHARS;
    if (isLong && seen.has(passage.text)) {
      repeated++;
      continue;
    }
    if (isLong) seen.add(passage.text);
    const before = lines.length === 0 ? '' : !passage.joined ? '\n' : wasCut ? '' : ' ';
    lines.push(`${before}${marked(passage)}`);
    // Rejoins a word that was cut: half a secret would not be recognised.
    wasCut = passage.text.length >= PASSAGE_CHARS - 1;
  }
  if (repeated > 0) lines.push(`${lines.length > 0 ? '\n' : ''}[${repeated} lines as before]`);
  return lines.join('');
}

/** Shorter lines (`ok`, `}`) repeat by chance and cost little. */
const REPEATED_CHARS = 30;

function marked({ voice, text }: Passage): string {
  return voice === 'argument' ? `+ ${text}` : voice === 'removed' ? `- ${text}` : text;
}

function capFor(entry: Entry, cap: EntryCap): EntryCap {
  const lookedUp = entry.passages.at(-1)?.voice === 'content';
  const isOwn = entry.type === 'said' || entry.passages.some(({ voice }) => voice === 'argument');
  const factor = lookedUp ? LOOKUP_SHARE : isOwn ? cap.ownWords : 1;
  return { ...cap, headChars: cap.headChars * factor, tailChars: cap.tailChars * factor };
}

function bounded(text: string, { headChars, tailChars }: EntryCap): string {
  if (text.length <= headChars + tailChars) return text;
  const head = text.slice(0, lineEnd(text, headChars));
  const tail = text.slice(text.length - tailChars);
  const left = text.length - head.length - tail.length;
  return `${head}\n[${left} characters not shown]\n${tail.slice(tail.indexOf('\n') + 1)}`;
}

function lineEnd(text: string, chars: number): number {
  const at = text.lastIndexOf('\n', chars);
  return Math.floor(at > chars / 2 ? at : chars);
}
