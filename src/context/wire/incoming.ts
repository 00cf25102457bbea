import type { DecodeNote } from '../../core/format.ts';
import type { ContextOptions, ContextWorld } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import { type Envelope, envelopeOf, listOf, withList } from './envelope.ts';
import type { Outgoing } from './outgoing.ts';
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

/** Reads the first messages of a history, and leaves an earlier history behind. Bad messages throw before anything changes. */
export async function begin(
  parts: IncomingParts,
  wire: unknown,
  envelope: Envelope = envelopeOf(wire),
): Promise<Appended> {
  const { journal, wireFormat } = parts;
  const request = withList(envelope, listOf(wire));
  const format = wireFormat.detect(request);
  const { conversation, notes } = format.decode(request);
  const rows = journal.rowsFor(conversation.messages);
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
