import type { Batch, Store, StoredEvent, StoredMessage, StoredState } from '../../context/store/store.ts';
import { PrecisError } from '../../core/errors.ts';
import { type AsyncLaw, must } from '../law.ts';

/** Turns a check into a law: the check gets an empty store, which is closed afterwards. */
export type MakeLaw = (name: string, check: (store: Store) => Promise<void>) => AsyncLaw;

export const NOTHING: Batch & StoredState = { messages: [], events: [], state: null };

export function message(text: string, at: number): StoredMessage {
  return { body: JSON.stringify({ text }), contents: [`content of ${text}`], at, chunks: [{ words: text.split(' ') }] };
}

export function event(text: string, at: number): StoredEvent {
  return { body: JSON.stringify({ event: text }), contents: [], at };
}

export function asLoaded(stored: StoredMessage): StoredMessage {
  return { ...stored, chunks: [] };
}

export function byNumber(left: number, right: number): number {
  return left - right;
}

export async function rejects(work: Promise<unknown>, code?: string): Promise<void> {
  let error: unknown;
  try {
    await work;
  } catch (thrown) {
    error = thrown;
  }
  must(error !== undefined, 'it did not reject');
  must(
    code === undefined || (PrecisError.is(error) && error.code === code),
    `expected code ${code}, got ${String(error)}`,
  );
}

export function same(actual: unknown, expected: unknown, what = 'not the same'): void {
  const [left, right] = [show(actual), show(expected)];
  must(left === right, `${what}: expected ${right.slice(0, 500)}, got ${left.slice(0, 500)}`);
}

/** JSON with sorted keys, which escapes lone surrogates, so that none is lost. */
function show(value: unknown): string {
  return JSON.stringify(value, (_, at: unknown) =>
    typeof at === 'object' && at !== null && !Array.isArray(at)
      ? Object.fromEntries(Object.entries(at).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : at,
  );
}
