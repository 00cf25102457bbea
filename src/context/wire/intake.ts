import type { DecodeNote } from '../../core/format.ts';
import type { ContextOptions, ContextWorld } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import { type Envelope, envelopeOf, listOf, withList } from './envelope.ts';
import type { Outgoing } from './outgoing.ts';
import type { SpokenFormat } from './spoken-format.ts';

/** The answer to `append` and `absorb`. */
export interface Appended {
  /** Messages that were added to the history. */
  readonly messages: number;
  /** What was mended while reading. */
  readonly notes: readonly DecodeNote[];
  /** False when the store could not take the messages: they are kept in memory and written with the next batch. */
  readonly stored: boolean;
}

/** Everything that reading wire messages needs. */
export interface Intake {
  readonly options: ContextOptions;
  readonly world: ContextWorld;
  readonly journal: Journal;
  readonly spoken: SpokenFormat;
  readonly outgoing: Outgoing;
}

/** Reads the beginning of a history. Bad messages throw before anything changes; an earlier history is left behind. */
export async function begin(intake: Intake, wire: unknown, envelope: Envelope = envelopeOf(wire)): Promise<Appended> {
  const { journal, spoken } = intake;
  const request = withList(envelope, listOf(wire));
  const format = spoken.detect(request);
  const { conversation, notes } = format.decode(request);
  const rows = journal.rowsFor(conversation.messages);
  if (journal.timeline.lineage.length > 0) journal.rewind(0);
  recordFormat(intake, format.id, envelope);
  journal.add(rows);
  return { messages: conversation.messages.length, notes, stored: await journal.commit() };
}

/** Takes the settings of a newer request for the next one. */
export function renewEnvelope(intake: Intake, wire: unknown): void {
  const newer = envelopeOf(wire);
  const last = intake.spoken.event();
  if (newer.list === null || last === null) return;
  if (JSON.stringify(newer.envelope) !== JSON.stringify(last.envelope)) recordFormat(intake, last.format, newer);
}

export function recordFormat({ spoken, outgoing }: Intake, format: string, envelope: Envelope): void {
  spoken.record(format, envelope);
  outgoing.forget();
}
