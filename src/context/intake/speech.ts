import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message } from '../../core/conversation/message.ts';
import { checkSound, extendSound, type SoundConversation } from '../../core/conversation/sound.ts';
import { PrecisError } from '../../core/errors.ts';
import type { DecodeNote, Format } from '../../core/format.ts';
import type { ContextOptions, ContextWorld } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import { type Envelope, envelopeOf, listOf, withList } from './envelope.ts';
import { readMore } from './intake.ts';

export interface Appended {
  /** Messages that were added to the history. */
  readonly messages: number;
  /** What was mended. */
  readonly notes: readonly DecodeNote[];
  /** False when the store could not take them: they are kept in memory and tried again. */
  readonly stored: boolean;
}

/** The wire side of a context: what comes in becomes rows, and the view becomes what is sent. */
export interface Speech {
  format(): Format;
  append(wire: unknown): Promise<Appended>;
  /** Takes a whole list or request, of which the beginning may be known. */
  take(wire: unknown): Promise<Appended>;
  absorb(conversation: Conversation): Promise<Appended>;
  /** The view as it is sent: the same object until it changes, so that asking again costs nothing. */
  current(): { readonly value: SoundConversation; readonly wire: unknown };
}

export function createSpeech(
  options: ContextOptions,
  world: ContextWorld,
  journal: Journal,
  now: () => number,
): Speech {
  const { timeline } = journal;
  let known: Format | null = null;
  let sent: { epoch: number; length: number; value: SoundConversation; wire: unknown } | null = null;

  const told = (): (Envelope & { readonly format: string }) | null => {
    const event = timeline.events.findLast((each) => each.type === 'format');
    return event?.type === 'format' ? event : null;
  };
  const format = (): Format => {
    const id = told()?.format ?? null;
    if (known?.id !== id) known = id === null ? null : world.formatById(id);
    if (known !== null) return known;
    throw new PrecisError('bad-option', `context ${options.id} is empty: append messages first`, { id: options.id });
  };
  const tell = (id: string, { envelope, list }: Envelope): void => {
    journal.record({ type: 'format', rows: timeline.rows.length, format: id, envelope, list, at: now() });
    sent = null;
  };
  const formatFor = (wire: unknown): Format => {
    if (options.format === undefined) return world.formatOf(wire);
    const named = world.formatById(options.format);
    if (named !== null) return named;
    const text = `Expected \`format\` to be the id of a format, got \`${options.format}\``;
    throw new PrecisError('unknown-format', text, { format: options.format });
  };

  const current: Speech['current'] = () => {
    const { epoch } = timeline;
    const { length } = timeline.rows;
    if (sent !== null && sent.epoch === epoch && sent.length === length) return sent;
    const shown = timeline.shown();
    const { envelope } = told() ?? { envelope: null };
    const conversation: Conversation = {
      format: format().id,
      messages: timeline.view(),
      history: timeline.history(),
      ...(shown.size === 0 ? {} : { shown }),
      ...(envelope === null ? {} : { envelope }),
    };
    const checked =
      sent?.epoch === epoch ? extendSound(sent.value, conversation, format()) : checkSound(conversation, format());
    if (checked.type === 'unsound') {
      const [issue] = checked.issues;
      throw new PrecisError('unsound', `message ${(issue?.message ?? 0) + 1}: ${issue?.text ?? 'unknown reason'}`, {});
    }
    sent = { epoch, length, value: checked.conversation, wire: format().encode(checked.conversation) };
    return sent;
  };

  /** Reads a beginning. What is wrong with it is found out before anything changes; what was there before is left behind. */
  const start = async (given: unknown, envelope: Envelope = envelopeOf(given)): Promise<Appended> => {
    const wire = withList(envelope, listOf(given));
    const found = formatFor(wire);
    const { conversation, notes } = found.decode(wire);
    const rows = journal.rowsFor(conversation.messages);
    if (timeline.lineage.length > 0) journal.rewind(0);
    tell(found.id, envelope);
    journal.add(rows);
    return { messages: conversation.messages.length, notes, stored: await journal.commit() };
  };

  /** Plain text looks alike in most formats. When what follows shows that it was another, the beginning is read again. */
  const startOver = async (more: unknown): Promise<Appended | null> => {
    if (options.format !== undefined || !journal.isPlain()) return null;
    const found = world.formatOf(listOf(more));
    if (found.id === format().id) return null;
    const first = listOf(format().encode({ ...current().value, messages: timeline.history() } as SoundConversation));
    const whole = [...first, ...listOf(more)];
    if (world.formatOf(whole).id === format().id) return null;
    const envelope = told() ?? envelopeOf(first);
    const { messages, ...rest } = await start(whole, envelope);
    return { ...rest, messages: messages - first.length };
  };

  /** The settings of a newer request are those of the next one. */
  const renewEnvelope = (wire: unknown): void => {
    const envelope = envelopeOf(wire);
    const before = told();
    if (
      envelope.list !== null &&
      before !== null &&
      JSON.stringify(envelope.envelope) !== JSON.stringify(before.envelope)
    )
      tell(before.format, envelope);
  };

  const takeDecoded = async (messages: readonly Message[]): Promise<Appended> => {
    const before = timeline.lineage.length;
    const keep = journal.follow(messages);
    sent = null;
    const rows = journal.rowsFor(messages.slice(keep));
    if (keep < timeline.lineage.length) journal.rewind(keep);
    journal.add(rows);
    const stored = await journal.commit();
    return { messages: Math.max(0, timeline.lineage.length - before), notes: [], stored };
  };

  return {
    format,
    current,
    async append(wire) {
      if (timeline.rows.length === 0) return start(wire);
      const early = await startOver(wire);
      if (early !== null) return early;
      const read = readMore(format(), timeline.history(), wire);
      const rows = journal.rowsFor(read.messages);
      renewEnvelope(wire);
      for (const [index, message] of read.amended) journal.amend(index, message);
      if (read.keep < timeline.lineage.length) journal.rewind(read.keep);
      journal.add(rows);
      return { messages: read.messages.length, notes: read.notes, stored: await journal.commit() };
    },
    async take(wire) {
      if (timeline.rows.length === 0) return start(wire);
      const { conversation, notes } = format().decode(wire);
      renewEnvelope(wire);
      return { ...(await takeDecoded(conversation.messages)), notes };
    },
    async absorb(conversation) {
      if (timeline.rows.length === 0) tell(conversation.format, envelopeOf(conversation.envelope));
      return takeDecoded(conversation.messages);
    },
  };
}
