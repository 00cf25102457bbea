import type { ContextParts } from '../context-parts.ts';
import type { Acceptance } from '../models/window-belief.ts';
import type { Appended } from '../wire/incoming.ts';

/**
 * Takes messages in. An assistant message among them shows that the model answered the view that was sent last, also when its provider never
 * reports usage.
 */
export async function takeMessages(parts: ContextParts, take: () => Promise<Appended>): Promise<Appended> {
  const { journal, models } = parts;
  const { timeline } = journal;
  const sent = sentLast(parts);
  const before = timeline.rows.length;
  const appended = await take();
  if (timeline.rows.slice(before).some(({ message }) => message.role === 'assistant'))
    await journal.changeState(models.afterAnswer(sent));
  return appended;
}

/** Our own size of the view that was sent last, as evidence for a belief; null when nothing was sent or nothing is believed. */
function sentLast({ journal, models, sizes }: ContextParts): Acceptance | null {
  const { sent } = journal.state;
  if (sent === null || models.belief() === null) return null;
  return { size: Math.floor((sent * sizes.request()) / Math.max(1, sizes.estimate())), countedBy: 'us' };
}
