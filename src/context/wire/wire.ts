import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Format } from '../../core/format.ts';
import { append } from './append.ts';
import type { Appended, IncomingParts } from './incoming.ts';
import { type KeptRequest, readKept } from './kept-request.ts';
import { createOutgoing, type OutgoingInput, type OutgoingView } from './outgoing.ts';
import type { AppendOptions } from './speakers.ts';
import { absorb, takeWholeList } from './take-whole-list.ts';

/** The wire side of a context: incoming messages become rows, and the view becomes a request. */
export interface Wire {
  format(): Format;
  append(wire: unknown, options?: AppendOptions): Promise<Appended>;
  takeWholeList(wire: unknown): Promise<Appended>;
  absorb(conversation: Conversation): Promise<Appended>;
  /** Returns the view as it is sent now. */
  current(): OutgoingView;
  /** Reads a request whose history a server keeps, in whole or in part; null when the request holds it all. */
  readKept(wire: unknown): KeptRequest | null;
}

export function createWire(input: Omit<IncomingParts, 'outgoing'>): Wire {
  const { wireFormat, journal, options, world } = input;
  const encode: OutgoingInput['encode'] = (format, view) => {
    if (options.strict === undefined) return { request: format.encode(view), notes: [] };
    const { wire, notes } = world.encodeStrictly(format, view, options.strict);
    return { request: wire, notes };
  };
  const outgoing = createOutgoing({ timeline: journal.timeline, wireFormat, encode });
  const parts: IncomingParts = { ...input, outgoing };
  return {
    format: wireFormat.current,
    append: (wire, options) => append(parts, wire, options),
    takeWholeList: (wire) => takeWholeList(parts, wire),
    absorb: (conversation) => absorb(parts, conversation),
    current: outgoing.current,
    readKept: (wire) => readKept(parts, wire),
  };
}
