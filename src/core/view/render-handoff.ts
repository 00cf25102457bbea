import type { Entry, Passage } from '../record/entry.ts';
import { closeFrame, type HandoffFrame, openFrame } from '../record/handoff/frame.ts';
import { type HandoffSection, orderedSections } from '../record/handoff/sections.ts';
import type { Weighed } from '../worth/weigh.ts';
import { type Landmarks, sectionOf } from './section-of.ts';

export interface HandoffInput {
  readonly weighed: Weighed;
  /** Passages to quote, by index. */
  readonly chosen: readonly number[];
  readonly frame: HandoffFrame;
  readonly landmarks: Landmarks;
  /** All sections, in order. */
  readonly sections: readonly HandoffSection[];
}

/** The chosen passages as the text of a handoff: sections in order, in each the lines in the order they were said, with who said them. */
export function renderHandoff({ weighed, chosen, frame, landmarks, sections }: HandoffInput): string {
  const quoted = new Map<number, number[]>();
  for (const at of chosen) {
    const passage = weighed.passages[at];
    if (passage === undefined) continue;
    const indexes = quoted.get(passage.entry) ?? [];
    if (passage.index >= 0) indexes.push(passage.index);
    quoted.set(passage.entry, indexes);
  }
  const linesOf = new Map<string, string[]>();
  for (const [index, indexes] of [...quoted].sort(byPlace(weighed))) {
    const entry = weighed.entries[index] as Entry;
    const id = sectionOf(entry, indexes, landmarks);
    const lines = linesOf.get(id) ?? [];
    lines.push(renderEntry(entry, indexes));
    linesOf.set(id, lines);
  }
  const blocks = orderedSections(linesOf.keys(), sections).flatMap(({ id, title }) => {
    const lines = linesOf.get(id);
    return lines === undefined ? [] : [`${title}\n${lines.join('\n')}`];
  });
  return [openFrame(frame), ...blocks, closeFrame(frame)].join('\n');
}

/** What a model wrote stands first in its section; then what happened, in order. */
function byPlace({
  entries,
}: Weighed): (left: readonly [number, unknown], right: readonly [number, unknown]) => number {
  const rank = (index: number): number => (entries[index]?.type === 'summed' ? 0 : 1);
  return ([left], [right]) => rank(left) - rank(right) || left - right;
}

/** One entry: `#12 user: …`, or `#13 bash make test` with the chosen lines below it. */
export function renderEntry(entry: Entry, indexes: readonly number[]): string {
  const chosen = [...new Set(indexes)].sort((left, right) => left - right);
  // A heading is one line whatever the agent wrote, so that nothing in it can pass for a line of the record.
  const heading = entry.heading.replaceAll(/\s+/g, ' ');
  if (entry.type === 'noted') return `- ${heading}`;
  if (entry.type === 'summed') return chosen.map((index) => `* ${entry.passages[index]?.text ?? ''}`).join('\n');
  if (entry.type === 'said') return `#${entry.number} ${heading}: ${quote(entry, chosen)}`;
  const fixed = entry.fixedBy === null ? '' : `, fixed by #${entry.fixedBy}`;
  const head = `#${entry.number} ${heading}${entry.failed ? ` → failed${fixed}` : ''}`;
  return [head, ...chosen.map((index) => `  ${marked(entry.passages[index] as Passage)}`)].join('\n');
}

/** Passages of a text in order; words left out between them are marked. */
function quote(entry: Entry, chosen: readonly number[]): string {
  let text = '';
  let previous = -1;
  for (const index of chosen) {
    const passage = entry.passages[index] as Passage;
    const gap = index > previous + 1;
    const words = passage.later === undefined ? passage.text : `${passage.text} [later ${passage.later}]`;
    if (text === '') text = gap ? `… ${words}` : words;
    else if (gap) text += ` … ${words}`;
    else text += passage.joined ? ` ${words}` : `\n  ${words}`;
    previous = index;
  }
  return text;
}

/** Signs tell what was added and removed; output that begins with one itself stands behind a bar. */
function marked({ voice, text }: Passage): string {
  if (voice === 'argument') return `+ ${text}`;
  if (voice === 'removed') return `- ${text}`;
  return /^[+|-] /.test(text) ? `| ${text}` : text;
}
