import { type Message, textOf } from '../conversation/message.ts';
import { type Entry, entriesOf, markFixed, type NumberedMessage } from '../record/entry.ts';
import { isHandoffText, readFrame } from '../record/handoff-frame.ts';
import { parseHandoff } from '../record/read-handoff.ts';
import { commonRoot } from '../record/roots.ts';
import type { Fact } from './fact.ts';
import { buildLedger, type Ledger } from './ledger.ts';

/** A history as entries and facts: what plans are made from. */
export interface HistoryRecord {
  readonly entries: readonly Entry[];
  readonly ledger: Ledger;
  readonly root: string;
  /** Number of each message, counted from 1 over all that was ever said, also by messages that only a handoff remembers. */
  readonly numbers: readonly number[];
  /** Number of the last message that only an earlier handoff remembers; 0 when all originals are at hand. */
  readonly carriedThrough: number;
}

export function recordHistory(messages: readonly Message[]): HistoryRecord {
  const numbers = numberMessages(messages);
  const root = commonRoot(messages) || carriedRoot(messages);
  const entries: Entry[] = [];
  let stretch: NumberedMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (isHandoff(message)) {
      for (const entry of [...entriesOf(stretch, root), ...parseHandoff(textOf(message))]) entries.push(entry);
      stretch = [];
    } else stretch.push({ number: numbers[index] ?? index + 1, message });
  }
  // Pushed one by one: a session may hold more entries than a call may have arguments.
  for (const entry of entriesOf(stretch, root)) entries.push(entry);
  const settled = markFixed(entries);
  const ledger = buildLedger(settled);
  return {
    entries: [
      ...markStale(
        settled.filter((entry) => entry.type !== 'noted'),
        ledger,
      ),
      ...notes(ledger),
    ],
    ledger,
    root,
    numbers,
    carriedThrough: foldedThrough(messages),
  };
}

/** Passages that state a replaced value or a rule that was taken back say so, wherever they are quoted. */
function markStale(entries: readonly Entry[], { facts }: Ledger): readonly Entry[] {
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
  if (marks.size === 0) return entries;
  return entries.map((entry) => {
    const own = entry.type === 'said' ? marks.get(entry.number) : undefined;
    if (own === undefined) return entry;
    const passages = entry.passages.map((passage, index) => {
      const later = own.get(index);
      return later === undefined ? passage : { ...passage, later };
    });
    return { ...entry, passages };
  });
}

function replacementOf(fact: Fact, current: ReadonlyMap<string, Fact>): string | null {
  const now = fact.kind === 'value' && fact.status === 'stale' ? current.get(fact.key) : undefined;
  return now === undefined || now.source.message <= fact.source.message ? null : `#${now.source.message}: ${now.text}`;
}

/** Lines that a model wrote into the handoffs of a view. */
export function summariesIn(view: readonly Message[]): readonly Entry[] {
  return view
    .filter(isHandoff)
    .flatMap((message) => parseHandoff(textOf(message)))
    .filter((entry) => entry.type === 'summed');
}

/** The facts of a conversation, folded to their latest state. */
export function ledgerOf(messages: readonly Message[]): Ledger {
  return recordHistory(messages).ledger;
}

/** True for a message that an earlier compaction wrote. */
export function isHandoff(message: Message): boolean {
  return message.role === 'user' && isHandoffText(textOf(message));
}

/** Number of the last message that the handoff among these stands for; 0 when there is none. */
export function foldedThrough(messages: readonly Message[]): number {
  return messages.reduce(
    (last, message) => (isHandoff(message) ? (readFrame(textOf(message))?.through ?? last) : last),
    0,
  );
}

/** Handles of the originals of earlier handoffs whose text is all that is left of them, newest first. */
export function earlierRefs(messages: readonly Message[]): readonly string[] {
  const frames = messages.filter(isHandoff).flatMap((message) => readFrame(textOf(message)) ?? []);
  return [...new Set(frames.reverse().flatMap(({ ref, earlier }) => [ref, ...earlier]))].slice(0, MOST_EARLIER_REFS);
}

/** Each costs a line; who needs the ninth has the file in which it stands. */
const MOST_EARLIER_REFS = 8;

function carriedRoot(messages: readonly Message[]): string {
  for (const message of messages) if (isHandoff(message)) return readFrame(textOf(message))?.root ?? '';
  return '';
}

function numberMessages(messages: readonly Message[]): readonly number[] {
  let last = 0;
  return messages.map((message) => {
    const frame = isHandoff(message) ? readFrame(textOf(message)) : null;
    last = frame === null ? last + 1 : Math.max(last, frame.through);
    return last;
  });
}

/** Files and open tasks as notes: they may be listed in the handoff beside what was said. */
function notes(ledger: Ledger): readonly Entry[] {
  return ledger.facts
    .flatMap(({ kind, ...fact }) => (kind === 'file' || kind === 'task' ? [{ ...fact, kind }] : []))
    .filter((fact) => fact.status !== 'resolved')
    .map((fact) => ({
      number: fact.source.message,
      type: 'noted',
      heading: fact.text,
      passages: [],
      action: null,
      failed: false,
      fixedBy: null,
      note: { kind: fact.kind, weight: fact.weight },
      closing: false,
      carried: false,
    }));
}
