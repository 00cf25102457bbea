import type { Message } from '../../core/conversation/message.ts';
import { extendPrefix, type Original, type Ref, refOfCall, refOfResult } from '../../core/conversation/ref.ts';

/** Finds originals by their ref: it knows every ref that any view of the context has ever shown. */
export interface RefIndex {
  /** Takes in messages that were added to the history since the last time. */
  update(history: readonly Message[]): void;
  find(ref: Ref): Original | null;
}

/** Grows with the history, so that looking up costs nothing and adding costs the new messages. */
export function createRefIndex(): RefIndex {
  const originals = new Map<Ref, () => Original>();
  let indexed: readonly Message[] = [];
  const hashes: string[] = [];
  const add = (history: readonly Message[], index: number): void => {
    const message = history[index] as Message;
    for (const part of message.parts) {
      if (part.type === 'tool-result')
        originals.set(refOfResult(part), () => ({ type: 'result', part, message: index }));
      if (part.type === 'tool-call') originals.set(refOfCall(part), () => ({ type: 'call', part, message: index }));
    }
    hashes[index] = extendPrefix(hashes[index - 1] ?? '', message);
    originals.set(`⟦r:${hashes[index]}⟧`, () => ({ type: 'messages', messages: history.slice(0, index + 1) }));
  };
  return {
    update(history) {
      // After a host went back, the beginning is still the same. Messages that it left are still found.
      let from = Math.min(indexed.length, history.length);
      while (from > 0 && indexed[from - 1] !== history[from - 1]) from--;
      for (let index = from; index < history.length; index++) add(history, index);
      indexed = history;
    },
    find: (ref) => originals.get(ref)?.() ?? null,
  };
}
