import type { Entry } from '../record/entry.ts';
import { commandFacts } from './commands.ts';
import type { FoundFact } from './fact.ts';
import { fileFacts } from './files.ts';
import { statementFacts } from './statements.ts';
import { taskFacts } from './tasks.ts';
import { valueFacts } from './values.ts';

/** All facts of a history, folded to their latest state. Code alone finds them, so no model can lose one. */
export function findFacts(entries: readonly Entry[]): readonly FoundFact[] {
  const files = fileFacts(entries);
  const touched = new Set(files.map((fact) => fact.key));
  return [
    ...statementFacts(entries),
    ...carriedFacts(entries).filter((fact) => !touched.has(fact.key)),
    ...files,
    ...commandFacts(entries),
    ...valueFacts(entries),
    ...taskFacts(entries),
  ];
}

/** Files and tasks that an earlier handoff listed. What happened since to a file wins. */
function carriedFacts(entries: readonly Entry[]): readonly FoundFact[] {
  return entries.flatMap((entry): readonly FoundFact[] => {
    if (entry.type !== 'noted') return [];
    const { kind, heading, number, changed, times } = entry;
    const key = kind === 'file' ? heading.replace(/ \([^()]*\)$/, '') : heading;
    const status = kind === 'task' ? 'open' : 'current';
    const source = { message: number, passage: -1 };
    return [{ kind, key, text: heading, needles: [key], status, source, grounds: { changed, times } }];
  });
}
