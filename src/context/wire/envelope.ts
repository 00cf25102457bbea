/** The request around its messages: model, tools, settings. The messages themselves are in the rows. */
export interface Envelope {
  /** The request with an empty list instead of its messages; null when the messages came alone. */
  readonly envelope: unknown;
  /** The key of that list. */
  readonly list: string | null;
}

const LISTS: readonly string[] = ['messages', 'contents', 'input'];

type Fields = Readonly<Record<string, unknown>>;

/** Returns the messages of a wire value: a list, one message, or a request around a list. */
export function listOf(wire: unknown): readonly unknown[] {
  if (Array.isArray(wire)) return wire;
  const key = listKeyOf(wire);
  const list = key === null ? null : (wire as Fields)[key];
  return Array.isArray(list) ? list : [wire];
}

export function envelopeOf(wire: unknown): Envelope {
  const list = listKeyOf(wire);
  return list === null ? { envelope: null, list } : { envelope: { ...(wire as Fields), [list]: [] }, list };
}

/** Puts messages back into their request. */
export function withList({ envelope, list }: Envelope, messages: readonly unknown[]): unknown {
  return list === null ? messages : { ...(envelope as Fields), [list]: messages };
}

function listKeyOf(wire: unknown): string | null {
  if (Array.isArray(wire) || typeof wire !== 'object' || wire === null) return null;
  return LISTS.find((key) => Array.isArray((wire as Fields)[key])) ?? null;
}
