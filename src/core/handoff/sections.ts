import { classify } from '../ledger/classify.ts';
import type { Entry } from '../ledger/entry.ts';
import type { FactKind } from '../ledger/fact.ts';

export type SectionId =
  | 'goal'
  | 'constraints'
  | 'done'
  | 'in-progress'
  | 'blocked'
  | 'decisions'
  | 'files'
  | 'errors'
  | 'next'
  | 'critical';

/** The sections of a handoff, in order. One table drives the writer, the parser and the checks. */
export const SECTIONS: readonly { readonly id: SectionId; readonly title: string }[] = [
  { id: 'goal', title: '## Goal' },
  { id: 'constraints', title: '## Constraints & Preferences' },
  { id: 'done', title: '## Progress\n### Done' },
  { id: 'in-progress', title: '### In progress' },
  { id: 'blocked', title: '### Blocked' },
  { id: 'decisions', title: '## Key Decisions' },
  { id: 'files', title: '## Relevant Files' },
  { id: 'errors', title: '## Errors & Fixes' },
  { id: 'next', title: '## Next Steps' },
  { id: 'critical', title: '## Critical Context' },
];

/** Numbers of messages that decide where a passage belongs. */
export interface Landmarks {
  /** The first thing the user asked for. */
  readonly task: number;
  /** The newest thing the user said: what was to do before that may be long done. */
  readonly lastUser: number;
}

/** Where a passage belongs. `passage` is -1 for the heading alone. */
export function sectionOf(entry: Entry, passage: number, { task, lastUser }: Landmarks): SectionId {
  if (entry.type === 'noted') return NOTE_SECTIONS[entry.note?.kind ?? 'value'];
  if (entry.type === 'did') return !entry.failed ? 'done' : entry.fixedBy === null ? 'blocked' : 'errors';
  const quoted = entry.passages[passage];
  if (quoted === undefined) return 'done';
  const kind = classify(quoted.text, quoted.voice);
  if (quoted.voice === 'user') return entry.number === task ? 'goal' : kind === 'constraint' ? 'constraints' : 'done';
  if (quoted.voice === 'host' || quoted.voice === 'rules') return kind === 'constraint' ? 'constraints' : 'critical';
  if (kind === 'decision') return 'decisions';
  return kind === 'todo' && entry.number >= lastUser ? 'next' : 'done';
}

const NOTE_SECTIONS: Readonly<Record<FactKind, SectionId>> = {
  constraint: 'constraints',
  decision: 'decisions',
  file: 'files',
  command: 'done',
  error: 'blocked',
  value: 'critical',
  question: 'in-progress',
  task: 'in-progress',
};
