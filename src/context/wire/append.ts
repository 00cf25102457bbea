import type { SoundConversation } from '../../core/conversation/sound.ts';
import { envelopeOf, listOf } from './envelope.ts';
import { type Appended, begin, type IncomingParts, renewEnvelope } from './incoming.ts';
import { readContinuation } from './read-continuation.ts';

/** Adds wire messages to the end of the history. */
export async function append(parts: IncomingParts, wire: unknown): Promise<Appended> {
  const { journal, wireFormat } = parts;
  const { timeline } = journal;
  if (timeline.rows.length === 0) return begin(parts, wire);
  const begunAnew = await beginInOtherFormat(parts, wire);
  if (begunAnew !== null) return begunAnew;
  const { messages, notes, amended, keep } = readContinuation(wireFormat.current(), timeline.history(), wire);
  const rows = journal.rowsFor(messages);
  renewEnvelope(parts, wire);
  for (const [index, message] of amended) journal.amend(index, message);
  if (keep < timeline.lineage.length) journal.rewind(keep);
  journal.add(rows);
  return { messages: messages.length, notes, stored: await journal.commit() };
}

/** Reads the history again in another format. Plain text looks alike in most formats, so only later messages may show the right one. */
async function beginInOtherFormat(parts: IncomingParts, wire: unknown): Promise<Appended | null> {
  const { options, world, journal, wireFormat, outgoing } = parts;
  const { timeline } = journal;
  if (options.format !== undefined || !timeline.isPlainText) return null;
  const added = listOf(wire);
  const found = world.formatOf(added);
  const format = wireFormat.current();
  if (found.id === format.id) return null;
  const history = { ...outgoing.current().conversation, messages: timeline.history() } as SoundConversation;
  const earlier = listOf(format.encode(history));
  const whole = [...earlier, ...added];
  if (world.formatOf(whole).id === format.id) return null;
  const { messages, ...rest } = await begin(parts, whole, wireFormat.event() ?? envelopeOf(earlier));
  return { ...rest, messages: messages - earlier.length };
}
