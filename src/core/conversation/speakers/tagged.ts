/** A stretch between an opening tag and its closing tag. */
export interface Tagged {
  readonly name: string;
  readonly inner: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The tagged stretches of a text that stand at its top level: the opening tag begins a line or follows another stretch, and has its closing tag.
 * `accepts` says which names count. Fenced code is skipped: people paste tags there. Takes time linear in the text.
 */
export function taggedIn(text: string, accepts: (name: string) => boolean): readonly Tagged[] {
  const found: Tagged[] = [];
  const unclosed = new Set<string>();
  const unbalanced = new Set<string>();
  for (let at = 0; at < text.length; ) {
    const fence = fenceEnd(text, at);
    if (fence !== null) {
      at = fence;
      continue;
    }
    const opening = openingAt(text, at);
    if (opening !== null && !unclosed.has(opening.name) && accepts(opening.name)) {
      const closing = closingOf(text, opening, unbalanced);
      if (closing !== null) {
        const { name, from } = opening;
        found.push({ name, inner: text.slice(opening.to, closing.from), from, to: closing.to });
        at = closing.to;
        continue;
      }
      unclosed.add(opening.name);
    }
    at = nextLine(text, at);
  }
  return found;
}

interface Opening {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The opening tag at a place, behind white space at most. */
export function openingAt(text: string, at: number): Opening | null {
  const pattern = /[ \t]*<([A-Za-z][\w.:-]*)(?:[ \t][^<>\n]*)?>/y;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null || match[0].endsWith('/>')) return null;
  return { name: match[1] ?? '', from: at, to: pattern.lastIndex };
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * The closing tag that belongs to an opening one: on the same line, else where a line ends and past stretches of the same name inside. A tag
 * within a sentence is only mentioned. Where tags do not add up, the first one counts.
 */
function closingOf(text: string, { name, to }: Opening, unbalanced: Set<string>): Place | null {
  const escaped = name.replaceAll('.', '\\.');
  const close = `</${escaped}(?:[ \\t][^<>\\n]*)?>`;
  const near = new RegExp(`[^\\n]*?(${close})`, 'y');
  near.lastIndex = to;
  const mark = near.exec(text)?.[1];
  if (mark !== undefined) return { from: near.lastIndex - mark.length, to: near.lastIndex };
  const pattern = new RegExp(`\\n[ \\t]*<${escaped}(?=[\\s>])|${close}(?=[ \\t]*(?:[\\n<]|$))`, 'g');
  pattern.lastIndex = to;
  let first: Place | null = null;
  let depth = 1;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0].startsWith('\n')) {
      depth++;
      continue;
    }
    const place = { from: match.index, to: pattern.lastIndex };
    first ??= place;
    depth--;
    if (depth === 0 || unbalanced.has(name)) return place;
  }
  unbalanced.add(name);
  return first;
}

/** The end of a fenced block that begins here; null where none does, or where it has no end. */
function fenceEnd(text: string, at: number): number | null {
  const fence = /[ \t]*(`{3,}|~{3,})[^`\n]*\n/y;
  fence.lastIndex = at;
  const mark = fence.exec(text)?.[1];
  if (mark === undefined) return null;
  const end = text.indexOf(`\n${mark}`, fence.lastIndex - 1);
  return end < 0 ? null : nextLine(text, end + 1);
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}
