import type { SoundConversation } from '../../core/conversation/sound.ts';
import { envelopeOf, listOf } from './envelope.ts';
import { type Appended, begin, type Intake, renewEnvelope } from './intake.ts';
import { readContinuation } from './read-continuation.ts';

/** Adds wire messages behind the history. */
export async function append(intake: Intake, wire: unknown): Promise<Appended> {
  const { journal, spoken } = intake;
  const { timeline } = journal;
  if (timeline.rows.length === 0) return begin(intake, wire);
  const begunAnew = await beginInOtherFormat(intake, wire);
  if (begunAnew !== null) return begunAnew;
  const { messages, notes, amended, keep } = readContinuation(spoken.current(), timeline.history(), wire);
  const rows = journal.rowsFor(messages);
  renewEnvelope(intake, wire);
  for (const [index, message] of amended) journal.amend(index, message);
  if (keep < timeline.lineage.length) journal.rewind(keep);
  journal.add(rows);
  return { messages: messages.length, notes, stored: await journal.commit() };
}

/** Plain text looks alike in most formats. When the next messages show that it was another, the beginning is read again. */
async function beginInOtherFormat(intake: Intake, wire: unknown): Promise<Appended | null> {
  const { options, world, journal, spoken, outgoing } = intake;
  const { timeline } = journal;
  if (options.format !== undefined || !timeline.isPlainText) return null;
  const added = listOf(wire);
  const found = world.formatOf(added);
  const format = spoken.current();
  if (found.id === format.id) return null;
  const history = { ...outgoing.current().conversation, messages: timeline.history() } as SoundConversation;
  const earlier = listOf(format.encode(history));
  const whole = [...earlier, ...added];
  if (world.formatOf(whole).id === format.id) return null;
  const { messages, ...rest } = await begin(intake, whole, spoken.event() ?? envelopeOf(earlier));
  return { ...rest, messages: messages - earlier.length };
}
