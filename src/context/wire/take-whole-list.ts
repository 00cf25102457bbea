import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message } from '../../core/conversation/message.ts';
import { envelopeOf } from './envelope.ts';
import { type Appended, begin, type IncomingParts, recordFormat, renewEnvelope } from './incoming.ts';

/** Takes a whole list or request, and adds the messages that the history does not have yet. */
export async function takeWholeList(parts: IncomingParts, wire: unknown): Promise<Appended> {
  if (parts.journal.timeline.rows.length === 0) return begin(parts, wire);
  const { conversation, notes } = parts.wireFormat.current().decode(wire);
  renewEnvelope(parts, wire);
  return { ...(await takeMessages(parts, conversation.messages)), notes };
}

/** Does the same for messages that are decoded already. */
export async function absorb(parts: IncomingParts, { format, envelope, messages }: Conversation): Promise<Appended> {
  if (parts.journal.timeline.rows.length === 0) recordFormat(parts, format, envelopeOf(envelope));
  return takeMessages(parts, messages);
}

async function takeMessages({ journal, outgoing }: IncomingParts, messages: readonly Message[]): Promise<Appended> {
  const { timeline } = journal;
  const before = timeline.lineage.length;
  const keep = journal.recognise(messages);
  // Recognised messages may be new objects with other cache markers.
  outgoing.forget();
  const rows = journal.rowsFor(messages.slice(keep));
  if (keep < timeline.lineage.length) journal.rewind(keep);
  journal.add(rows);
  const stored = await journal.commit();
  return { messages: Math.max(0, timeline.lineage.length - before), notes: [], stored };
}
