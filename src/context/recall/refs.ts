import { callsIn, resultsIn } from '../../core/conversation/hosted.ts';
import type { Message } from '../../core/conversation/message.ts';
import { extendPrefix, type Original, type Ref, refOfCall, refOfResult } from '../../core/conversation/ref.ts';

/** Finds originals by their ref. It knows every ref that a view of the context has ever shown. */
export interface RefIndex {
  /** Indexes messages that were added to the history since the last call. */
  update(history: readonly Message[]): void;
  find(ref: Ref): Original | null;
}

/** Creates an index that grows with the history, so that a lookup is cheap and an update costs only the new messages. */
export function createRefIndex(): RefIndex {
  const originals = new Map<Ref, () => Original>();
  let indexed: readonly Message[] = [];
  const hashes: string[] = [];
  const add = (history: readonly Message[], index: number): void => {
    const message = history[index] as Message;
    for (const part of resultsIn(message))
      originals.set(refOfResult(part), () => ({ type: 'result', part, message: index }));
    for (const part of callsIn(message)) originals.set(refOfCall(part), () => ({ type: 'call', part, message: index }));
    hashes[index] = extendPrefix(hashes[index - 1] ?? '', message);
    originals.set(`⟦r:${hashes[index]}⟧`, () => ({ type: 'messages', messages: history.slice(0, index + 1) }));
  };
  return {
    update(history) {
      // After a rewind the beginning is still the same. The messages that the host left are still found.
      let from = Math.min(indexed.length, history.length);
      while (from > 0 && indexed[from - 1] !== history[from - 1]) from--;
      for (let index = from; index < history.length; index++) add(history, index);
      indexed = history;
    },
    find: (ref) => originals.get(ref)?.() ?? null,
  };
}
