import { PASSAGE_CHARS } from '../language/passages.ts';
import type { DidEntry, Entry, Passage, SaidEntry } from '../record/entry.ts';
import { redactText } from '../redact/redact.ts';

/** How much of one entry a summariser reads: both ends, so that neither the command nor its result is lost. */
export interface EntryCap {
  readonly headChars: number;
  readonly tailChars: number;
  /** Factor for what people and the agent wrote themselves: said, or as the argument of a call. */
  readonly ownWords: number;
}

/**
 * From generous to tight. The first is for a zone that one request holds: what it does not show, no model can tell. A zone that is still too
 * large at the last is left to the extractive writer.
 */
export const CAPS: readonly EntryCap[] = [
  { headChars: 4_000, tailChars: 1_500, ownWords: 5 },
  { headChars: 4_000, tailChars: 1_500, ownWords: 1 },
  { headChars: 1_200, tailChars: 600, ownWords: 1 },
  { headChars: 400, tailChars: 200, ownWords: 1 },
];

/** File contents that were only looked at are worth less than what happened. */
const LOOKUP_SHARE = 0.35;

/**
 * The folded part of a history as a summariser reads it: the originals, one block for each entry, with numbers, speakers, names and arguments of
 * calls, outcomes, secrets redacted. What repeats goes in once.
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

/** What an entry says that no entry before it said: lines that repeat across turns are read once. */
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
    // A word that was cut is whole again here: half of a secret would pass for none.
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
