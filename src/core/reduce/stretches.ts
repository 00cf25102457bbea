/** A stretch of a message: a short paragraph that somebody typed, or something pasted. Together the stretches are the whole text. */
export interface Stretch {
  readonly text: string;
  readonly typed: boolean;
}

/** Paragraphs up to this length count as typed: three or four sentences. */
const TYPED_CHARS = 480;

/** Cuts a message into paragraphs, fenced blocks and tagged blocks. Blank lines belong to the stretch before them. */
export function stretchesOf(text: string): readonly Stretch[] {
  const lines = text.split(/(?<=\n)/);
  const endOfBlock = blockEnds(lines);
  const stretches: Stretch[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = endOfBlock(at);
    let end = block ?? at + 1;
    if (block === null) while (end < lines.length && !isBlank(lines[end]) && endOfBlock(end) === null) end++;
    while (end < lines.length && isBlank(lines[end])) end++;
    const own = lines.slice(at, end).join('');
    stretches.push({ text: own, typed: block === null && own.trim().length <= TYPED_CHARS });
    at = end;
  }
  return stretches;
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const OPENING_TAG = /^\s*<([a-z][\w.:-]*)(?:\s[^>]*)?>/i;
const CLOSING_TAG = /<\/([a-z][\w.:-]*)>\s*$/i;

/** Finds the line behind the fenced or tagged block that begins at a line; null when none does. Ask for the lines in order. */
function blockEnds(lines: readonly string[]): (at: number) => number | null {
  const closings = new Map<string, number[]>();
  for (const [index, line] of [...lines.entries()].reverse()) {
    const mark = FENCE.exec(line)?.[1] ?? CLOSING_TAG.exec(line)?.[1];
    if (mark === undefined) continue;
    const known = closings.get(mark);
    if (known === undefined) closings.set(mark, [index]);
    else known.push(index);
  }
  return (at) => {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    const mark = fence ?? OPENING_TAG.exec(line)?.[1];
    if (mark === undefined) return null;
    const ends = closings.get(mark) ?? [];
    // A fence does not close itself; a tag may be closed on its own line.
    const first = fence === undefined ? at : at + 1;
    while ((ends.at(-1) ?? first) < first) ends.pop();
    const end = ends.at(-1);
    // A fence that nobody closed goes on to the end.
    return end === undefined ? (fence === undefined ? null : lines.length) : end + 1;
  };
}

function isBlank(line: string | undefined): boolean {
  return (line ?? '').trim() === '';
}
