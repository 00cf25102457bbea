import type { SoundConversation } from '../../core/conversation/sound.ts';
import { envelopeOf, listOf, withList } from './envelope.ts';
import { type Appended, begin, type IncomingParts, renewEnvelope } from './incoming.ts';
import { type KeptRequest, readKept } from './kept-request.ts';
import { type Continuation, readContinuation } from './read-continuation.ts';
import { shownFormat } from './shown-format.ts';
import { type AppendOptions, checkAppendOptions, withSpeakers } from './speakers.ts';

/** Adds wire messages to the end of the history. */
export async function append(parts: IncomingParts, wire: unknown, options: AppendOptions = {}): Promise<Appended> {
  checkAppendOptions(options);
  const { journal, wireFormat } = parts;
  const { timeline } = journal;
  if (timeline.rows.length === 0) return begin(parts, wire, options);
  const begunAnew = await beginInOtherFormat(parts, wire, options);
  if (begunAnew !== null) return begunAnew;
  const kept = readKept(parts, wire);
  const { messages, notes, amended, keep } =
    kept === null
      ? readContinuation(wireFormat.current(), timeline.history(), wire)
      : asItIs(kept, timeline.lineage.length);
  const rows = journal.rowsFor(withSpeakers(messages, options.by));
  renewEnvelope(parts, wire);
  for (const [index, message] of amended) journal.amend(index, message);
  if (keep < timeline.lineage.length) journal.rewind(keep);
  journal.add(rows);
  return { messages: messages.length, notes, stored: await journal.commit() };
}

/** What seems to be missing in the request may be on the server, so nothing is mended. */
function asItIs({ conversation }: KeptRequest, keep: number): Continuation {
  return { messages: conversation.messages, notes: [], amended: new Map(), keep };
}

/** Reads the history again in another format. Plain text looks alike in most formats, so only later messages may show the right one. */
async function beginInOtherFormat(
  parts: IncomingParts,
  wire: unknown,
  options: AppendOptions,
): Promise<Appended | null> {
  const { world, journal, wireFormat, outgoing } = parts;
  const { timeline } = journal;
  if (parts.options.format !== undefined || !timeline.isPlainText) return null;
  const added = listOf(wire);
  const format = wireFormat.current();
  if (shownFormat(world, added)?.id === format.id) return null;
  const before = timeline.history();
  const history = { ...outgoing.current().conversation, messages: before } as SoundConversation;
  const earlier = listOf(format.encode(history));
  const whole = [...earlier, ...added];
  const envelope = wireFormat.event() ?? envelopeOf(earlier);
  // The request around plain messages may show their format, as a `system` field does.
  const found = shownFormat(world, withList(envelope, whole));
  if (found === null || found.id === format.id) return null;
  const { messages, ...rest } = await begin(parts, whole, { ...options, envelope, before });
  return { ...rest, messages: messages - earlier.length };
}
