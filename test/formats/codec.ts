import fc from 'fast-check';
import { expect } from 'vitest';
import { type Conversation, withMessages } from '../../src/core/conversation/conversation.ts';
import { type Part, withParts } from '../../src/core/conversation/message.ts';
import type { SoundConversation } from '../../src/core/conversation/sound.ts';
import type { Format } from '../../src/core/format.ts';

export interface Mended {
  readonly wire: unknown;
  /** One per repair, e.g. `2: empty text block dropped`. */
  readonly notes: readonly string[];
}

/** Decodes a wire value, which repairs it, and encodes the result. */
export function mendWith(format: Format, wire: unknown): Mended {
  const { conversation, notes } = format.decode(wire);
  return { wire: encodeWith(format, conversation), notes: notes.map((note) => `${note.message}: ${note.text}`) };
}

/** Encodes a conversation that must be sound. */
export function encodeWith(format: Format, conversation: Conversation): readonly unknown[] {
  expect(format.check(conversation)).toEqual([]);
  return format.encode(conversation as SoundConversation) as readonly unknown[];
}

/** A repaired wire needs no second repair, and a sound one comes back as the same object. */
export function expectMendingOnce(format: Format, message: fc.Arbitrary<unknown>): void {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (wire) => {
      const once = mendWith(format, wire);
      const twice = mendWith(format, once.wire);
      expect(twice.notes).toEqual([]);
      expect(twice.wire).toBe(once.wire);
      if (once.notes.length === 0) expect(once.wire).toBe(wire);
    }),
    { numRuns: 500 },
  );
}

/** The conversation with other parts in the message at this index. */
export function editParts(
  conversation: Conversation,
  index: number,
  edit: (before: readonly Part[]) => readonly Part[],
): Conversation {
  return withMessages(
    conversation,
    conversation.messages.map((message, at) => (at === index ? withParts(message, edit(message.parts)) : message)),
  );
}
