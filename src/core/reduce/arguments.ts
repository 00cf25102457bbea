import { safeCut } from '../ledger/calls.ts';

/** Arguments up to this length stay as they are. */
const ARGUMENTS_CHARS = 500;
const LEAF_CHARS = 200;
const LEAF_HEAD_CHARS = 120;

/**
 * Shortens the long strings inside JSON arguments; what comes out is valid JSON with the same keys. Lines in `keep` stay. Arguments that
 * are not a JSON object or array are left alone: half a string of an unknown language helps nobody.
 */
export function shortenArguments(text: string, keep: ReadonlySet<string>): string {
  if (text.length <= ARGUMENTS_CHARS) return text;
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    return text;
  }
  if (typeof value !== 'object' || value === null) return text;
  const short = JSON.stringify(value, (_key, leaf: unknown) =>
    typeof leaf === 'string' && leaf.length > LEAF_CHARS ? shortenLeaf(leaf, keep) : leaf,
  );
  return short.length < text.length ? short : text;
}

function shortenLeaf(leaf: string, keep: ReadonlySet<string>): string {
  const head = leaf.slice(0, safeCut(leaf, LEAF_HEAD_CHARS));
  const rest = leaf.slice(head.length).split('\n');
  const kept = rest.map((line) => line.trim()).filter((line) => keep.has(line));
  const left = leaf.length - head.length - kept.reduce((sum, line) => sum + line.length, 0);
  return left <= 0 ? leaf : [`${head}…`, ...kept, `[${left} characters left out]`].join('\n');
}
