import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Format } from '../../core/format.ts';
import { append } from './append.ts';
import type { Appended, IncomingParts } from './incoming.ts';
import { createOutgoing, type OutgoingView } from './outgoing.ts';
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
}

export function createWire(input: Omit<IncomingParts, 'outgoing'>): Wire {
  const { wireFormat } = input;
  const outgoing = createOutgoing(input.journal.timeline, wireFormat);
  const parts: IncomingParts = { ...input, outgoing };
  return {
    format: wireFormat.current,
    append: (wire, options) => append(parts, wire, options),
    takeWholeList: (wire) => takeWholeList(parts, wire),
    absorb: (conversation) => absorb(parts, conversation),
    current: outgoing.current,
  };
}
