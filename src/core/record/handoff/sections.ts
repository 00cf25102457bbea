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

/** One of ours, or a heading of a caller's own, whose id is the heading itself. Only lines of a model stand under those. */
export interface HandoffSection {
  readonly id: string;
  readonly title: string;
}

/** The sections a model is asked to fill: those of a caller's template, or all of ours. */
export function askedSections(template: readonly string[]): readonly HandoffSection[] {
  const own = template.flatMap((line): readonly HandoffSection[] => {
    const title = ownTitle(line);
    if (title === null) return [];
    return [SECTIONS.find(({ title: known }) => wordsOf(lastLine(known)) === wordsOf(title)) ?? { id: title, title }];
  });
  return own.length === 0 ? SECTIONS : own;
}

/** All sections in the order of the template; what code quotes under headings that the template leaves out follows. */
export function sectionsFor(template: readonly string[]): readonly HandoffSection[] {
  return [...new Map([...askedSections(template), ...SECTIONS].map((section) => [section.id, section])).values()];
}

/** The sections of a record in order. A template of an earlier pass is not known any more: its sections close the record. */
export function orderedSections(used: Iterable<string>, known: readonly HandoffSection[]): readonly HandoffSection[] {
  const ids = new Set(known.map(({ id }) => id));
  const carried = [...new Set(used)].filter((id) => !ids.has(id)).map((id) => ({ id, title: id }));
  return [...known, ...carried];
}

/** Any heading as the title of a section; null for a line without words. */
export function ownTitle(line: string): string | null {
  const words = line.replace(/^[\s#*]+/, '').replace(/[\s:*]+$/, '');
  return words === '' ? null : `## ${words}`;
}

/** What makes two headings one, whatever their level, case and marks. */
export function wordsOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

export function lastLine(title: string): string {
  return title.split('\n').at(-1) ?? title;
}
