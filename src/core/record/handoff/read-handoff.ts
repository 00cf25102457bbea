import type { Voice } from '../../language/voice.ts';
import { describeHeading } from '../calls/action.ts';
import { outputVoice } from '../entries.ts';
import type { DidEntry, Entry, NotedEntry, Passage, SaidEntry, SummedEntry } from '../entry.ts';
import { readFrame } from './frame.ts';
import { lastLine, ownTitle, SECTIONS } from './sections.ts';

/**
 * Reads a handoff back into entries, so that a later process that has only the messages can continue the record. Entries are found by their
 * structure (`#n who: …`, indented lines), never by the wording of a heading.
 */
export function readHandoff(text: string): readonly Entry[] {
  if (readFrame(text) === null) return [];
  const entries: Entry[] = [];
  let open: OpenEntry | null = null;
  let section = 'done';
  for (const line of text.split('\n').slice(1, -1)) {
    section = SECTION_OF.get(line) ?? (line.startsWith('## ') ? ownTitle(line) : null) ?? section;
    if (line.startsWith('  ') && open !== null) {
      open.passages.push(...continuedPassages(line, open));
      continue;
    }
    open = openEntry(line);
    const [, note] = /^- (.+)$/.exec(line) ?? [];
    const [, summed] = /^\* (.+)$/.exec(line) ?? [];
    if (open !== null) entries.push(open);
    else if (note !== undefined) entries.push(notedEntry(note));
    else if (summed !== undefined) entries.push(summedEntry(summed, section));
  }
  return mergeSplit(entries);
}

/** The last line of every title, as our own writer prints it. */
const SECTION_OF: ReadonlyMap<string, string> = new Map(SECTIONS.map(({ id, title }) => [lastLine(title), id]));

/** An entry that the indented lines below it belong to. */
type OpenEntry = (SaidEntry | DidEntry) & { readonly passages: Passage[] };

/** `#12 user: …` and `#13 bash make test → failed, fixed by #15` open an entry; no other line does. */
function openEntry(line: string): OpenEntry | null {
  const said = /^#(\d+) (user|assistant|rules|host|report|file): (.*)$/.exec(line);
  if (said !== null) {
    const [, number, heading = '', words = ''] = said;
    const passages = quotedPassages(words, voiceOf(heading));
    return { type: 'said', number: Number(number), heading, passages, closing: false, carried: true, first: 0 };
  }
  const did = /^#(\d+) (.+?)( → failed(?:, fixed by #(\d+))?)?$/.exec(line);
  if (did === null) return null;
  const fixedBy = did[4] === undefined ? null : Number(did[4]);
  const ended = { failed: did[3] !== undefined, fixedBy };
  return { type: 'did', number: Number(did[1]), heading: did[2] ?? '', passages: [], action: null, ...ended };
}

function continuedPassages(line: string, { type, heading }: OpenEntry): readonly Passage[] {
  if (type === 'said') return quotedPassages(line.trim(), voiceOf(heading));
  return [outputPassage(line.slice(2), outputVoice(describeHeading(heading)))];
}

/** The voice behind the heading of words. */
function voiceOf(heading: string): Voice {
  return heading === 'file' ? 'content' : (heading as Voice);
}

/** A summary line. The first message that it cites gives it its place. */
export function summedEntry(text: string, section: string): SummedEntry {
  const number = Number(/#(\d{1,7})\b/.exec(text)?.[1] ?? 0);
  const passages: readonly Passage[] = [{ voice: 'summary', text, joined: false }];
  return { type: 'summed', number, heading: '', passages, section, factor: 1 };
}

function quotedPassages(text: string, voice: Voice): Passage[] {
  return text
    .split(/(?:^|\s)… /)
    .filter((piece) => piece !== '')
    .map((piece) => {
      // Nobody said the marks of an earlier pass, and this pass makes its own.
      const words = piece.replaceAll(/ \[later (?:#\d+)?: [^\]]*\]/g, '');
      return { voice, text: words, joined: false };
    });
}

function outputPassage(line: string, voice: Voice): Passage {
  if (line.startsWith('+ ')) return { voice: 'argument', text: line.slice(2), joined: false };
  if (line.startsWith('- ')) return { voice: 'removed', text: line.slice(2), joined: false };
  return { voice, text: line.startsWith('| ') ? line.slice(2) : line, joined: false };
}

/** A note says its own kind: files end in their state, everything else is a task. */
function notedEntry(text: string): NotedEntry {
  const [, state] = /\((read|created|modified|deleted|renamed from .+)\)$/.exec(text) ?? [];
  const kind = state === undefined ? 'task' : 'file';
  const changed = state !== undefined && state !== 'read';
  return { type: 'noted', number: 0, heading: text, passages: [], kind, changed, times: 1 };
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
