import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message } from '../../core/conversation/message.ts';
import { envelopeOf } from './envelope.ts';
import { type Appended, begin, type Intake, recordFormat, renewEnvelope } from './intake.ts';

/** Takes a whole list or request, of which the history may hold the beginning. */
export async function takeWhole(intake: Intake, wire: unknown): Promise<Appended> {
  if (intake.journal.timeline.rows.length === 0) return begin(intake, wire);
  const { conversation, notes } = intake.spoken.current().decode(wire);
  renewEnvelope(intake, wire);
  return { ...(await takeMessages(intake, conversation.messages)), notes };
}

/** The same for messages that are decoded already. */
export async function absorb(intake: Intake, { format, envelope, messages }: Conversation): Promise<Appended> {
  if (intake.journal.timeline.rows.length === 0) recordFormat(intake, format, envelopeOf(envelope));
  return takeMessages(intake, messages);
}

async function takeMessages({ journal, outgoing }: Intake, messages: readonly Message[]): Promise<Appended> {
  const { timeline } = journal;
  const before = timeline.lineage.length;
  const keep = journal.recognise(messages);
  // Recognised messages may be other objects now, with other cache markers.
  outgoing.forget();
  const rows = journal.rowsFor(messages.slice(keep));
  if (keep < timeline.lineage.length) journal.rewind(keep);
  journal.add(rows);
  const stored = await journal.commit();
  return { messages: Math.max(0, timeline.lineage.length - before), notes: [], stored };
}
