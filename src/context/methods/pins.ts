import type { Message } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import { lastBoundOf, openTurnOf } from '../../core/reduce/reasoning.ts';
import type { ContextParts } from '../context-parts.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** Keeps a message word for word in every later view. A trimmed message becomes whole again, unless the turn under way would lose its reasoning. */
export async function pin({ journal }: ContextParts, number: number): Promise<void> {
  const { timeline } = journal;
  const row = rowAt(timeline, number);
  const { message, shown } = timeline.rows[row] ?? {};
  const isTrimmed = shown !== undefined && shown.raw === undefined && shown !== message;
  if (message !== undefined && isTrimmed && !isUnderOpenReasoning(timeline, shown)) journal.amend(number - 1, message);
  await journal.changeState({ pins: [...new Set([...journal.state.pins, row])] });
}

/** True when signed reasoning of the turn under way is bound to the message as it is. */
function isUnderOpenReasoning(timeline: Timeline, shown: Message): boolean {
  const view = timeline.view();
  const place = view.indexOf(shown);
  return openTurnOf(view) !== null && place >= 0 && place < lastBoundOf(view);
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
