import { PrecisError } from '../../core/errors.ts';
import type { ContextParts } from '../context-parts.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** Keeps a message word for word in every later view. A trimmed message becomes whole again. */
export async function pin({ journal }: ContextParts, number: number): Promise<void> {
  const { timeline } = journal;
  const row = rowAt(timeline, number);
  const { message, shown } = timeline.rows[row] ?? {};
  if (message !== undefined && shown?.raw === undefined && shown !== message) journal.amend(number - 1, message);
  await journal.changeState({ pins: [...new Set([...journal.state.pins, row])] });
}

export async function unpin({ journal }: ContextParts, number: number): Promise<void> {
  const row = rowAt(journal.timeline, number);
  await journal.changeState({ pins: journal.state.pins.filter((each) => each !== row) });
}

function rowAt({ lineage }: Timeline, number: number): number {
  const row = lineage[number - 1];
  if (row !== undefined) return row;
  const text = `Expected the number of a message, 1 to ${lineage.length}, got \`${number}\``;
  throw new PrecisError('bad-option', text, { number });
}
