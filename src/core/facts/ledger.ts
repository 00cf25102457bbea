import { classify, isDecision, isLift, type PassageKind } from '../language/classify.ts';
import { isLookup } from '../record/calls.ts';
import type { Entry, Passage } from '../record/entry.ts';
import { exitCodeOf } from '../record/output.ts';
import type { Fact, FactKind } from './fact.ts';
import { fileFacts } from './files.ts';
import { liftConstraints } from './lift.ts';
import { taskFacts } from './tasks.ts';
import { valueFacts } from './values.ts';

/** All facts of a history, folded to their latest state. Made by code alone, so no model can lose one. */
export interface Ledger {
  readonly facts: readonly Fact[];
}

export function buildLedger(entries: readonly Entry[]): Ledger {
  const files = fileFacts(entries);
  const touched = new Set(files.map((fact) => fact.key));
  return {
    facts: [
      ...statementFacts(entries),
      ...carriedFacts(entries).filter((fact) => !touched.has(fact.key)),
      ...files,
      ...commandFacts(entries),
      ...valueFacts(entries),
      ...taskFacts(entries),
    ],
  };
}

/** Files and tasks that an earlier handoff listed. What happened since to a file wins. */
function carriedFacts(entries: readonly Entry[]): readonly Fact[] {
  return entries.flatMap(({ type, note, heading, number }) => {
    if (type !== 'noted' || note === null) return [];
    const key = note.kind === 'file' ? heading.replace(/ \([^()]*\)$/, '') : heading;
    const status = note.kind === 'task' ? ('open' as const) : ('current' as const);
    const source = { message: number, passage: -1 };
    return [
      {
        kind: note.kind,
        key,
        text: heading,
        needles: [key],
        status,
        source,
        weight: note.weight,
        critical: note.weight >= CRITICAL_WEIGHT,
      },
    ];
  });
}

/** Notes of this weight are changed files and open tasks; files that were only read weigh less. */
const CRITICAL_WEIGHT = 2;

/** Constraints, decisions and open questions, quoted. Constraints that the user took back later are marked so. */
function statementFacts(entries: readonly Entry[]): readonly Fact[] {
  const facts: Fact[] = [];
  const lastUser = entries.findLastIndex((entry) => entry.passages.some((passage) => passage.voice === 'user'));
  for (const [at, entry] of entries.entries())
    for (const [index, passage] of entry.passages.entries()) {
      if (passage.voice !== 'user' && passage.voice !== 'assistant') continue;
      const kind = classify(passage.text, passage.voice);
      const source = { message: entry.number, passage: index };
      const quote = (factKind: FactKind, weight: number, critical: boolean, open: boolean): Fact => ({
        kind: factKind,
        key: passage.text,
        text: passage.text,
        needles: [passage.text],
        status: open ? 'open' : 'current',
        source,
        weight,
        critical,
      });
      // Only the user's own message takes a rule back: what a tool brings may be anybody's words.
      const lifts = entry.type === 'said' && passage.voice === 'user' && isLift(passage.text);
      if (lifts) liftConstraints(facts, passage.text);
      if (kind === 'constraint') facts.push(quote('constraint', 5, true, false));
      else if (lifts) facts.push(quote('decision', 4, true, false));
      else if (decides(passage, kind)) facts.push(quote('decision', passage.voice === 'user' ? 4 : 2, false, false));
      else if (kind === 'question' && at >= lastUser && entry.closing) facts.push(quote('question', 2, true, true));
    }
  return facts;
}

/** Of what users say, `classify` tells rules from the rest only: that they choose something is told by the words. */
function decides(passage: Passage, kind: PassageKind): boolean {
  return kind === 'decision' || (kind === 'plain' && passage.voice === 'user' && isDecision(passage.text));
}

/** Commands that did something, with how they ended; a failure is open until the same command succeeds. */
function commandFacts(entries: readonly Entry[]): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const entry of entries) {
    const { action, heading } = entry;
    if (entry.type !== 'did' || action?.verb === 'plan' || (action !== null && isLookup(action))) continue;
    const { failed, code } = endOf(entry);
    const error = facts.get(`error ${heading}`);
    if (failed) facts.set(`error ${heading}`, errorFact(entry));
    else if (error?.status === 'open')
      facts.set(`error ${heading}`, { ...error, status: 'resolved', weight: 1, critical: false });
    if (action?.verb === 'shell')
      facts.set(heading, {
        kind: 'command',
        key: heading,
        text: `${heading} → ${failed ? 'failed' : 'ok'}${failed && code !== null ? ` (exit code ${code})` : ''}`,
        needles: [heading],
        status: 'current',
        source: { message: entry.number, passage: -1 },
        weight: 1,
        critical: false,
      });
  }
  return [...facts.values()];
}

/** How a call ended, by its flag or by the exit code that its output reports. */
function endOf(entry: Entry): { readonly failed: boolean; readonly code: number | null } {
  const output = entry.passages.filter((passage) => passage.voice === 'output').map((passage) => passage.text);
  const code = entry.action?.verb === 'shell' ? exitCodeOf(output) : null;
  return { failed: entry.failed || (code !== null && code > 0), code };
}

function errorFact(entry: Entry): Fact {
  const index = entry.passages.findIndex(
    (passage) => passage.voice === 'output' && classify(passage.text, 'output') === 'error',
  );
  const text = entry.passages[index]?.text ?? entry.action?.target ?? entry.heading;
  const open = entry.fixedBy === null;
  return {
    kind: 'error',
    key: entry.heading,
    text: `${entry.heading}: ${text}`,
    needles: [text],
    status: open ? 'open' : 'resolved',
    source: { message: entry.number, passage: index },
    weight: open ? 3 : 1,
    critical: open,
  };
}
