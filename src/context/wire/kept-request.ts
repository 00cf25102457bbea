import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Surroundings } from '../../core/conversation/surroundings.ts';
import type { IncomingParts } from './incoming.ts';

/** A request whose history a server keeps or edits. Nobody can tell what a change of it would do. */
export interface KeptRequest {
  readonly conversation: Conversation;
  readonly surroundings: Surroundings;
  /** The field or item that says so. */
  readonly server: string;
}

/** Reads such a request; null for any other. It is not added to the history, because its messages are only the newest ones. */
export function readKept({ wireFormat, journal }: IncomingParts, wire: unknown): KeptRequest | null {
  const format = journal.timeline.rows.length === 0 ? wireFormat.detect(wire) : wireFormat.current();
  const surroundings = format.surroundings({ format: format.id, messages: [], envelope: wire });
  const { server } = surroundings;
  return server === null ? null : { conversation: format.decode(wire).conversation, surroundings, server };
}
