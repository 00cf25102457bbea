import { type Message, textOf } from '../conversation/message.ts';
import { commonRoot } from '../record/calls/roots.ts';
import { entriesOf, markFixed, type NumberedMessage } from '../record/entries.ts';
import { type Entry, type NotedEntry, passageIn } from '../record/entry.ts';
import { carriedRoot, foldedThrough, isHandoff, numberMessages } from '../record/handoff/handoff-message.ts';
import { readHandoff } from '../record/handoff/read-handoff.ts';
import type { FoundFact } from './fact.ts';
import { findFacts } from './find-facts.ts';

/** A history as entries and facts: the material of every plan. */
export interface HistoryRecord {
  readonly entries: readonly Entry[];
  readonly facts: readonly FoundFact[];
  /** The folder the session works in; paths are shown without it. Empty when there is none. */
  readonly root: string;
  /** Number of each message, counted from 1 over everything ever said, including messages that only a handoff remembers. */
  readonly numbers: readonly number[];
  /** Number of the last message that only an earlier handoff remembers; 0 when all originals are at hand. */
  readonly carriedThrough: number;
}

export function recordHistory(messages: readonly Message[]): HistoryRecord {
  const numbers = numberMessages(messages);
  const root = commonRoot(messages) || carriedRoot(messages);
  const settled = markFixed(allEntries(messages, numbers, root));
  const facts = findFacts(settled);
  const told = settled.filter((entry) => entry.type !== 'noted');
  return {
    entries: [...markOutdated(told, facts), ...notesOf(facts)],
    facts,
    root,
    numbers,
    carriedThrough: foldedThrough(messages),
  };
}

/** The entries of all messages. Those of a handoff take its position. */
function allEntries(messages: readonly Message[], numbers: readonly number[], root: string): readonly Entry[] {
  const entries: Entry[] = [];
  let stretch: NumberedMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (isHandoff(message)) {
      for (const entry of [...entriesOf(stretch, root), ...readHandoff(textOf(message))]) entries.push(entry);
      stretch = [];
    } else stretch.push({ number: numbers[index] ?? index + 1, message });
  }
  // Pushed one by one: a session may hold more entries than a function can take arguments.
  for (const entry of entriesOf(stretch, root)) entries.push(entry);
  return entries;
}

/** Marks passages that state a replaced value or a lifted rule, so that every quote of them says so. */
function markOutdated(entries: readonly Entry[], facts: readonly FoundFact[]): readonly Entry[] {
  const marks = outdatedPassages(facts);
  if (marks.size === 0) return entries;
  return entries.map((entry) => {
    const own = entry.type === 'said' ? marks.get(entry.number) : undefined;
    if (own === undefined) return entry;
    const passages = entry.passages.map((passage, index) => {
      const later = own.get(passageIn(entry, index));
      return later === undefined ? passage : { ...passage, later };
    });
    return { ...entry, passages };
  });
}

/** The marks, by message number and passage: what a later message says. */
function outdatedPassages(facts: readonly FoundFact[]): ReadonlyMap<number, ReadonlyMap<number, string>> {
  const current = new Map(
    facts.filter((fact) => fact.kind === 'value' && fact.status === 'current').map((fact) => [fact.key, fact]),
  );
  const marks = new Map<number, Map<number, string>>();
  for (const fact of facts) {
    const later = fact.status === 'lifted' ? ': no longer in force' : replacementOf(fact, current);
    if (later === null) continue;
    const passages = marks.get(fact.source.message) ?? new Map<number, string>();
    marks.set(fact.source.message, passages.set(fact.source.passage, later));
  }
  return marks;
}

function replacementOf(fact: FoundFact, current: ReadonlyMap<string, FoundFact>): string | null {
  const now = fact.kind === 'value' && fact.status === 'stale' ? current.get(fact.key) : undefined;
  return now === undefined || now.source.message <= fact.source.message ? null : `#${now.source.message}: ${now.text}`;
}

/** Files and open tasks as notes, which the handoff may list among the quotes. */
function notesOf(facts: readonly FoundFact[]): readonly NotedEntry[] {
  return facts.flatMap(({ kind, status, source, text, grounds }): readonly NotedEntry[] => {
    if ((kind !== 'file' && kind !== 'task') || status === 'resolved') return [];
    const { changed = false, times = 1 } = grounds;
    return [{ type: 'noted', number: source.message, heading: text, passages: [], kind, changed, times }];
  });
}
