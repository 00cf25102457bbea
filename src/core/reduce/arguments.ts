import type { Ref } from '../conversation/ref.ts';
import { safeCut } from '../language/cut.ts';
import { splitLines, splitProse } from '../language/passages.ts';

/** Arguments up to this length stay as they are. */
const ARGUMENTS_CHARS = 500;
const LEAF_CHARS = 200;
const LEAF_HEAD_CHARS = 120;

/**
 * Shortens the long strings inside JSON arguments. The result is valid JSON with the same keys, and `ref` in it leads to the whole. Lines in
 * `keep` stay. Arguments that are not a JSON object or array are left alone: half a string in an unknown language helps nobody.
 */
export function shortenArguments(text: string, keep: ReadonlySet<string>, ref: Ref): string {
  if (text.length <= ARGUMENTS_CHARS) return text;
  if (!isJsonContainer(text)) return text;
  // Only strings are touched: parsing and printing numbers would change those that a double cannot hold.
  const short = text.replace(STRING, (literal: string, at: number) => {
    if (literal.length <= LEAF_CHARS || isKey(text, at + literal.length)) return literal;
    const leaf = JSON.parse(literal) as string;
    return leaf.length <= LEAF_CHARS ? literal : JSON.stringify(shortenLeaf(leaf, keep, ref));
  });
  return short.length < text.length ? short : text;
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

function isJsonContainer(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

function isKey(text: string, behind: number): boolean {
  let at = behind;
  while (' \t\n\r'.includes(text[at] ?? '.')) at++;
  return text[at] === ':';
}

const SHORTENED = /\[\d+ characters left out, whole call ⟦r:[0-9a-f]+⟧\]$/;

function shortenLeaf(leaf: string, keep: ReadonlySet<string>, ref: Ref): string {
  if (SHORTENED.test(leaf)) return leaf;
  const head = leaf.slice(0, safeCut(leaf, LEAF_HEAD_CHARS));
  const kept = keep.size === 0 ? [] : keptLines(leaf, head, keep);
  const left = leaf.length - head.length - kept.reduce((sum, line) => sum + line.length, 0);
  if (left <= 0) return leaf;
  const short = [`${head}…`, ...kept, `[${left} characters left out, whole call ${ref}]`].join('\n');
  return short.length < leaf.length ? short : leaf;
}

/** Lines and sentences to keep that the head does not show whole. */
function keptLines(leaf: string, head: string, keep: ReadonlySet<string>): readonly string[] {
  const kept: string[] = [];
  let end = 0;
  for (const line of leaf.split('\n')) {
    end += line.length + 1;
    if (end - 1 <= head.length) continue;
    if (keep.has(line.trim())) kept.push(line.trim());
    else
      for (const { text } of [...splitLines([line]), ...splitProse(line)])
        if (keep.has(text) && !kept.includes(text)) kept.push(text);
  }
  return kept;
}
