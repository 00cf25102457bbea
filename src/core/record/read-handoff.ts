import type { Voice } from '../language/voice.ts';
import { describeHeading } from './calls.ts';
import { type Entry, type NoteKind, outputVoice, type Passage } from './entry.ts';
import { readFrame } from './handoff-frame.ts';
import { lastLine, ownTitle, SECTIONS } from './handoff-sections.ts';

/**
 * Reads a handoff back into entries, so that a later process that has only the messages carries on where the record stood. Found by
 * structure (`#n who: …`, indented lines), never by the wording of a heading.
 */
export function parseHandoff(text: string): readonly Entry[] {
  if (readFrame(text) === null) return [];
  const entries: Entry[] = [];
  let open: OpenEntry | null = null;
  let section = 'done';
  const close = (): void => {
    if (open !== null) entries.push({ ...open, action: null, note: null, closing: false, carried: true });
    open = null;
  };
  for (const line of text.split('\n').slice(1, -1)) {
    const said = /^#(\d+) (user|assistant|rules|host): (.*)$/.exec(line);
    const did = said === null ? /^#(\d+) (.+?)( → failed(?:, fixed by #(\d+))?)?$/.exec(line) : null;
    const note = /^- (.+)$/.exec(line);
    const summed = /^\* (.+)$/.exec(line);
    section = SECTION_OF.get(line) ?? (line.startsWith('## ') ? ownTitle(line) : null) ?? section;
    if (said !== null) {
      close();
      const voice = said[2] as Voice;
      open = {
        number: Number(said[1]),
        type: 'said',
        heading: voice,
        passages: passagesOf(said[3] ?? '', voice),
        failed: false,
        fixedBy: null,
      };
    } else if (did !== null) {
      close();
      const fixedBy = did[4] === undefined ? null : Number(did[4]);
      open = {
        number: Number(did[1]),
        type: 'did',
        heading: did[2] ?? '',
        passages: [],
        failed: did[3] !== undefined,
        fixedBy,
      };
    } else if (line.startsWith('  ') && open !== null) {
      if (open.type === 'said') open.passages.push(...passagesOf(line.trim(), open.heading as Voice));
      else open.passages.push(outputPassage(line.slice(2), outputVoice(describeHeading(open.heading))));
    } else if (note?.[1] !== undefined) {
      close();
      entries.push(notedEntry(note[1]));
    } else if (summed?.[1] !== undefined) {
      close();
      entries.push(summedEntry(summed[1], section, 1));
    } else close();
  }
  close();
  return mergeSplit(entries);
}

/** The last line of every title, as our own writer prints it. */
const SECTION_OF: ReadonlyMap<string, string> = new Map(SECTIONS.map(({ id, title }) => [lastLine(title), id]));

/** A line that a model wrote. `weight` is a factor: 1 for one that is worth what such lines are worth. */
export function summedEntry(text: string, section: string, weight: number): Entry {
  const number = Number(/#(\d{1,7})\b/.exec(text)?.[1] ?? 0);
  const note = { kind: 'decision', weight } as const;
  const passages = [{ voice: 'summary', text, joined: false }] as const;
  const rest = { action: null, failed: false, fixedBy: null, closing: false, carried: true };
  return { number, type: 'summed', heading: '', passages, section, note, ...rest };
}

interface OpenEntry {
  readonly number: number;
  readonly type: 'said' | 'did';
  readonly heading: string;
  readonly passages: Passage[];
  readonly failed: boolean;
  readonly fixedBy: number | null;
}

function passagesOf(text: string, voice: Voice): Passage[] {
  return text
    .split(/(?:^|\s)… /)
    .filter((piece) => piece !== '')
    .map((piece) => {
      // A mark of an earlier pass is not what was said; the next pass makes its own.
      const text = piece.replaceAll(/ \[later (?:#\d+)?: [^\]]*\]/g, '');
      return { voice, text, joined: false };
    });
}

function outputPassage(line: string, voice: Voice): Passage {
  if (line.startsWith('+ ')) return { voice: 'argument', text: line.slice(2), joined: false };
  if (line.startsWith('- ')) return { voice: 'removed', text: line.slice(2), joined: false };
  return { voice, text: line.startsWith('| ') ? line.slice(2) : line, joined: false };
}

/** A note says its own kind: files end in their state, everything else is a task. */
function notedEntry(text: string): Entry {
  const file = /\((read|created|modified|deleted|renamed from .+)\)$/.exec(text);
  const kind: NoteKind = file === null ? 'task' : 'file';
  const weight = file === null ? 3 : file[1] === 'read' ? 0.4 : 2;
  return {
    number: 0,
    type: 'noted',
    heading: text,
    passages: [],
    action: null,
    failed: false,
    fixedBy: null,
    note: { kind, weight },
    closing: false,
    carried: true,
  };
}

/** A message whose passages stood in several sections becomes one entry again, in the order of the history. */
function mergeSplit(entries: readonly Entry[]): readonly Entry[] {
  const merged = new Map<string, Entry>();
  for (const entry of entries) {
    const key = entry.type === 'summed' ? `summed ${merged.size}` : `${entry.number} ${entry.heading}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? entry : { ...known, passages: [...known.passages, ...entry.passages] });
  }
  return [...merged.values()].sort((left, right) => left.number - right.number);
}
