import type { Compaction } from '../../core/compact.ts';
import type { Message } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import { afterCompaction } from '../../core/plan/guard.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';
import type { ContextParts } from '../context-parts.ts';
import type { ViewEvent, ViewItem } from '../timeline/event.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { Row } from '../timeline/timeline-data.ts';

export interface Acceptance {
  readonly compaction: Compaction;
  /** Number of history messages that the new view covers. */
  readonly covers: number;
  /** The view that was compacted; null for the history itself. */
  readonly before: ViewEvent | null;
}

/** Makes a compaction the current view. Returns its receipt, with the id of the view. */
export async function acceptCompaction(parts: ContextParts, acceptance: Acceptance): Promise<Receipt> {
  const { journal, models, sizes, emitter, now } = parts;
  const { timeline } = journal;
  const { compaction, covers, before } = acceptance;
  const id = timeline.nextViewId();
  const receipt: Receipt = { ...compaction.receipt, checkpoint: id };
  journal.record({
    type: 'view',
    id,
    rows: timeline.rows.length,
    covers,
    items: itemsOf(compaction.conversation.messages, timeline),
    before: before?.id ?? null,
    receipt,
    turn: journal.state.counters.requests,
    at: now(),
  });
  await journal.changeState({ counted: null });
  const { threshold, rearm } = models.limits();
  const landing = { after: sizes.request(), threshold, said: sizes.history(), rearm };
  await journal.changeState({ guard: afterCompaction(landing) });
  emitter.emit('compaction:end', { id, receipt });
  return receipt;
}

/** Makes the host's own compaction of the current view the new view. Returns its id, or null when it changed nothing. */
export async function acceptFromHost(parts: ContextParts, compaction: Compaction): Promise<string | null> {
  if (compaction.receipt.edits.length === 0) return null;
  const { timeline } = parts.journal;
  const history = timeline.history();
  const compacted = compaction.conversation.history ?? [];
  if (compacted.length !== history.length || compacted.some((message, index) => message !== history[index]))
    throw new PrecisError('bad-option', 'Expected a compaction of this very history, got one of another', {});
  const acceptance = { compaction, covers: history.length, before: timeline.current };
  return (await acceptCompaction(parts, acceptance)).checkpoint;
}

/** Lists the messages of a view: by row where the history has them, else the message that the compaction wrote. */
function itemsOf(messages: readonly Message[], { rows, lineage }: Timeline): readonly ViewItem[] {
  const rowOfMessage = new Map<Message, number>();
  for (const row of lineage) {
    const { message, shown } = rows[row] as Row;
    rowOfMessage.set(message, row).set(shown, row);
  }
  return messages.map((message) => rowOfMessage.get(message) ?? message);
}
