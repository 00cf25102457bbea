import { PrecisError } from '../../core/errors.ts';
import type { Format } from '../../core/format.ts';
import type { ContextOptions, ContextWorld } from '../options.ts';
import type { FormatEvent } from '../timeline/event.ts';
import type { Journal } from '../timeline/journal.ts';
import type { Envelope } from './envelope.ts';

/** The wire format that a context uses. The timeline records it, together with the request around the messages. */
export interface WireFormat {
  /** Returns the format. Throws while the context is empty. */
  current(): Format;
  /** Returns the event that recorded the format; null while the context is empty. */
  event(): FormatEvent | null;
  /** Chooses the format of the first messages: the one that the options name, else the one that the messages look like. */
  detect(wire: unknown): Format;
  record(format: string, envelope: Envelope): void;
}

export interface WireFormatInput {
  readonly options: ContextOptions;
  readonly world: ContextWorld;
  readonly journal: Journal;
  readonly now: () => number;
}

export function createWireFormat({ options, world, journal, now }: WireFormatInput): WireFormat {
  const { timeline } = journal;
  let cached: Format | null = null;
  const event = (): FormatEvent | null => {
    const last = timeline.events.findLast((each) => each.type === 'format');
    return last?.type === 'format' ? last : null;
  };
  return {
    event,
    current() {
      const id = event()?.format ?? null;
      if (cached?.id !== id) cached = id === null ? null : world.formatById(id);
      if (cached !== null) return cached;
      throw new PrecisError('bad-option', `context ${options.id} is empty: append messages first`, { id: options.id });
    },
    detect(wire) {
      if (options.format === undefined) return world.formatOf(wire);
      const named = world.formatById(options.format);
      if (named !== null) return named;
      const text = `Expected \`format\` to be the id of a format, got \`${options.format}\``;
      throw new PrecisError('unknown-format', text, { format: options.format });
    },
    record: (format, { envelope, list }) =>
      journal.record({ type: 'format', rows: timeline.rows.length, format, envelope, list, at: now() }),
  };
}
