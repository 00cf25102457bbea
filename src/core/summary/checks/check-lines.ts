import { namesIn } from '../../language/names.ts';
import { singleSpaced } from '../../language/spaces.ts';
import type { Entry } from '../../record/entry.ts';
import type { SummaryLine } from '../answer.ts';
import { bare, LINE_CHECKS, type Source } from './line-checks.ts';

/** The lines that passed every check, each once. */
export interface CheckedLines {
  readonly lines: readonly SummaryLine[];
  /** Lines that a check removed, by name of the check. */
  readonly removed: Readonly<Record<string, number>>;
}

export interface LineGrounds extends Pick<Source, 'constraints' | 'stale'> {
  /** All that was ever said. */
  readonly entries: readonly Entry[];
  /** Bullets of the handoff so far. */
  readonly previous: string;
}

/** Checks every line of a model's answers against what was said. */
export function checkLines(lines: readonly SummaryLine[], grounds: LineGrounds): CheckedLines {
  const source = sourceOf(grounds);
  const removed: Record<string, number> = {};
  const sound = lines.filter((line) => {
    const failed = LINE_CHECKS.find((check) => check.fails(line, source));
    if (failed !== undefined) removed[failed.name] = (removed[failed.name] ?? 0) + 1;
    return failed === undefined;
  });
  return { lines: unique(sound), removed };
}

function sourceOf({ entries, previous, constraints, stale }: LineGrounds): Source {
  const said = entries.map(({ heading, passages }) => `${heading} ${passages.map(({ text }) => text).join(' ')}`);
  const text = singleSpaced([...said, previous].join('\n'));
  return { text, lower: text.toLowerCase(), bare: bare(text), names: new Set(namesIn(text)), constraints, stale };
}

function unique(lines: readonly SummaryLine[]): readonly SummaryLine[] {
  const seen = new Set<string>();
  return lines.filter(({ text }) => {
    // Lines that differ in nothing but the number of a message or a round are one line said often.
    const key = namesIn(text).length > 0 ? text : text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
