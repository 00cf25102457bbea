import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message } from '../../core/conversation/message.ts';
import { envelopeOf, listOf, withList } from './envelope.ts';
import { type Appended, begin, type IncomingParts, recordFormat, renewEnvelope } from './incoming.ts';
import { shownFormat } from './shown-format.ts';

/** Takes a whole list or request, and adds the messages that the history does not have yet. */
export async function takeWholeList(parts: IncomingParts, wire: unknown): Promise<Appended> {
  if (parts.journal.timeline.rows.length === 0) return begin(parts, wire);
  if (isInOtherFormat(parts, wire)) return begin(parts, wire, { before: parts.journal.timeline.history() });
  const { conversation, notes } = parts.wireFormat.current().decode(wire);
  renewEnvelope(parts, wire);
  return { ...(await takeMessages(parts, conversation.messages)), notes };
}

/** Plain text looks alike in most formats, so only a later list may show the right one. */
function isInOtherFormat({ options, world, journal, wireFormat }: IncomingParts, wire: unknown): boolean {
  if (options.format !== undefined || !journal.timeline.isPlainText) return false;
  const own = envelopeOf(wire);
  const around = own.list === null ? wireFormat.event() : own;
  const messages = listOf(wire);
  if (messages.length === 0) return false;
  const found = shownFormat(world, around === null ? messages : withList(around, messages));
  return found !== null && found.id !== wireFormat.current().id;
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
