/** A message of a transcript in a prompt: `#12 user: …`, or `#13 bash make test` and indented lines. */
export interface TranscriptEntry {
  readonly number: number;
  /** The speaker, or the tool that was used. */
  readonly who: string;
  readonly type: 'said' | 'did';
  /** The first line of the message, or the arguments of the tool. */
  readonly head: string;
  /** The indented lines below. */
  readonly lines: readonly string[];
}

/** Reads leniently: every line that begins with `#` and a number is an entry, and the indented lines below belong to it. */
export function readTranscript(prompt: string): readonly TranscriptEntry[] {
  const entries: (TranscriptEntry & { readonly lines: string[] })[] = [];
  let open = false;
  for (const line of prompt.split('\n')) {
    const start = /^#(\d+) (\S+?)(:?)(?: (.*))?$/.exec(line);
    if (start !== null) {
      const who = start[2] ?? '';
      const type = start[3] === ':' && SPEAKERS.test(who) ? 'said' : 'did';
      entries.push({ number: Number(start[1]), who, type, head: (start[4] ?? '').trim(), lines: [] });
      open = true;
    } else if (open && /^\s/.test(line)) {
      if (line.trim() !== '') entries.at(-1)?.lines.push(line.trim());
    } else {
      open = open && line === '';
    }
  }
  return entries;
}

const SPEAKERS = /^(user|human|assistant|agent|model|system|developer|rules|host)$/i;

/** Section headings that the instructions ask for, in order; null when they name none. */
export function readHeadings(instructions: string): readonly string[] | null {
  const headings = instructions.split('\n').flatMap((line) => {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) return [heading];
    return [...line.matchAll(/`(#{2,3} [A-Z][^`]*)`/g)].map((match) => match[1] ?? '');
  });
  return headings.length >= 3 ? [...new Set(headings)] : null;
}

const HEADING = /^\s*(#{2,3} [A-Z][^#\n`]*?)\s*$/;

/** Bullets of the prompt outside the transcript. */
export interface GivenBullets {
  /** Bullets that must not be lost: they stand below a line such as `These must be in it:`. */
  readonly demands: readonly string[];
  /** Bullets of an earlier summary, with their heading. */
  readonly previous: readonly { readonly heading: string; readonly bullet: string }[];
}

export function readBullets(prompt: string): GivenBullets {
  const demands: string[] = [];
  const previous: { heading: string; bullet: string }[] = [];
  let listening = false;
  let heading: string | null = null;
  for (const line of prompt.split('\n')) {
    const bullet = /^[-*] (.+)$/.exec(line)?.[1];
    if (bullet !== undefined) {
      if (listening) demands.push(bullet);
      else if (heading !== null) previous.push({ heading, bullet });
    } else if (HEADING.test(line) && /^#/.test(line)) {
      heading = line.trim();
    } else if (/^\w.*[.:]$|^#\d/.test(line)) {
      // A line of the prompt itself, or of the transcript; only fences and empty lines stand between a list and its title.
      listening = /\b(missing|must|keep|facts)\b.*:$/i.test(line) && !line.startsWith('#');
      heading = null;
    }
  }
  return { demands, previous };
}

/** Sentences of a message, with the lines below it. */
export function sentencesOf({ head, lines }: TranscriptEntry): readonly string[] {
  const texts = [head, ...lines].map((text) => text.replace(/^(?:[-*•+]|\d+[.)]) /, ''));
  return texts.flatMap((text) => text.split(/(?<=[.!?])\s+(?=\S)/)).filter((text) => /\p{L}/u.test(text));
}

/** Paths, code in backticks, numbers of two or more digits, names with an inner capital, dash or underscore. */
export const IDENTIFIER: RegExp =
  /`[^`\n]+`|(?:[\w.-]+\/)+[\w.-]*\w|\b[\w-]+\.[a-z]{1,4}\b|\b\w*[a-z]\w*[A-Z_]\w*\b|(?<![#\w])\d[\w.:]*\d\b/g;

/** Maps current values to those they replaced, from `from A to B`, `B instead of A`, and names that get a second value. */
export function replacedValues(prompt: string): ReadonlyMap<string, string> {
  const replaced = new Map<string, string>();
  const values = new Map<string, string>();
  for (const { head, lines } of readTranscript(prompt)) {
    const text = [head, ...lines].join('\n');
    for (const [, old = '', current = ''] of text.matchAll(/\bfrom (\S*\d\S*) to ([^\s,;]*\d)/g))
      replaced.set(current, old);
    for (const [, current = '', old = ''] of text.matchAll(/(\S*\d),? (?:instead of|rather than|not) ([^\s,;]*\d)/g)) {
      replaced.set(current, old);
    }
    for (const [, name = '', value = ''] of text.matchAll(ASSIGNMENT)) {
      const key = name.toLowerCase();
      const before = values.get(key);
      if (before !== undefined && before !== value) replaced.set(value, before);
      values.set(key, value);
    }
  }
  return replaced;
}

const ASSIGNMENT = /\b([a-z][\w-]{2,})\s*(?:=|:|\bis\b|\bto\b|\bat\b|\bof\b)\s*(\d(?:[\w.]*\w)?)/gi;
