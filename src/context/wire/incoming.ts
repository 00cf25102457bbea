import type { Message } from '../../core/conversation/message.ts';
import type { DecodeNote } from '../../core/format.ts';
import type { ContextOptions, ContextWorld } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import { type Envelope, envelopeOf, listOf, withList } from './envelope.ts';
import type { Outgoing } from './outgoing.ts';
import { type AppendOptions, withSpeakers } from './speakers.ts';
import type { WireFormat } from './wire-format.ts';

/** The result of `append` and `absorb`. */
export interface Appended {
  /** Messages that were added to the history. */
  readonly messages: number;
  /** Repairs that were made while reading. */
  readonly notes: readonly DecodeNote[];
  /** False when the store refused the messages. They stay in memory and are written with the next batch. */
  readonly stored: boolean;
}

/** The parts that reading wire messages needs. */
export interface IncomingParts {
  readonly options: ContextOptions;
  readonly world: ContextWorld;
  readonly journal: Journal;
  readonly wireFormat: WireFormat;
  readonly outgoing: Outgoing;
}

/** What is known about the first messages of a history, beside their wire. */
interface Opening extends AppendOptions {
  readonly envelope?: Envelope;
  /** The same messages as they were read in another format. */
  readonly before?: readonly Message[];
}

/** Reads the first messages of a history, and leaves an earlier history behind. Bad messages throw before anything changes. */
export async function begin(parts: IncomingParts, wire: unknown, opening: Opening = {}): Promise<Appended> {
  const { journal, wireFormat } = parts;
  const { by, before, envelope = envelopeOf(wire) } = opening;
  const request = withList(envelope, listOf(wire));
  const format = wireFormat.detect(request);
  const { conversation, notes } = format.decode(request);
  const rows = journal.rowsFor(withSpeakers(conversation.messages, by, before));
  if (journal.timeline.lineage.length > 0) journal.rewind(0);
  recordFormat(parts, format.id, envelope);
  journal.add(rows);
  return { messages: conversation.messages.length, notes, stored: await journal.commit() };
}

/** Keeps the settings of a newer request for the next one. */
export function renewEnvelope(parts: IncomingParts, wire: unknown): void {
  const newer = envelopeOf(wire);
  const last = parts.wireFormat.event();
  if (newer.list === null || last === null) return;
  if (JSON.stringify(newer.envelope) !== JSON.stringify(last.envelope)) recordFormat(parts, last.format, newer);
}

export function recordFormat({ wireFormat, outgoing }: IncomingParts, format: string, envelope: Envelope): void {
  wireFormat.record(format, envelope);
  outgoing.forget();
}
