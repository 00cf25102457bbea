/** Encoding for strict servers: over generated conversations of every format, with ids and names that such a server refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { type Message, textOf, toolCallsOf, toolResultsOf } from '../../src/core/conversation/message.ts';
import { encodeStrictly, type StrictOptions } from '../../src/formats/index.ts';
import { replaceInWire } from '../../src/formats/strict/replace-in-wire.ts';
import { type Script, scripts, type WireFormat, wireOf } from './arbitraries.ts';
import { check, FORMAT_IDS, FORMATS, targetOf } from './support.ts';

const STRICT: StrictOptions = { alternate: true, idChars: 40, names: true };

/** The script on the wire, where some ids and names are such as only lenient servers take. */
function lenient(id: WireFormat, script: Script): Conversation {
  const plain = FORMATS[id].decode(wireOf(id, script)).conversation;
  const calls = plain.messages.flatMap(toolCallsOf);
  const ids = new Map(calls.map(({ callId }, at) => [callId, at % 3 === 0 ? `functions.${callId}:0` : callId]));
  const names = new Map(calls.map(({ name }) => [name, name.length % 2 === 0 ? `shop.${name} v2` : name]));
  return FORMATS[id].decode(replaceInWire(plain.envelope, { ids, names }).wire).conversation;
}

/** Two neighbours that a strict server refuses. */
function isClash(first: Message, second: Message, id: WireFormat): boolean {
  const isInUser = id === 'anthropic' || id === 'gemini';
  const [one, two] = [first, second].map(({ role }) => (role === 'tool' && isInUser ? 'user' : role));
  if (one === 'tool' && two === 'user') return true;
  // The items of several answers follow each other freely.
  const isFree =
    id === 'openai-responses' && one === 'assistant' && [first, second].some((message) => !isText(message));
  return one === two && one !== 'tool' && !isFree && [first, second].every(isSpoken);
}

const isText = ({ parts }: Message): boolean => parts.every((part) => part.type === 'text');
const isSpoken = ({ role, parts }: Message): boolean => role !== 'system' || parts.some((part) => part.type === 'text');

describe('encoding for a strict server', () => {
  for (const id of FORMAT_IDS) {
    const format = FORMATS[id];
    const law = (name: string, holds: (conversation: Conversation) => void): void => {
      it(`${name}, for ${format.title}`, () =>
        check(
          fc.asyncProperty(scripts({ events: 14, output: 200 }), async (script) => holds(lenient(id, script))),
          120,
        ));
    };

    law('gives something sound that needs no mending, and nothing more to repair', (conversation) => {
      const { wire } = encodeStrictly(format, conversation, STRICT);
      const { conversation: again, notes } = format.decode(wire);
      expect([notes, format.check(again)]).toEqual([[], []]);
      const twice = encodeStrictly(format, again, STRICT);
      expect(twice.notes).toEqual([]);
      expect(twice.wire === wire).toBe(true);
    });

    law('makes user and assistant take turns, after one prompt', (conversation) => {
      const { messages } = format.decode(encodeStrictly(format, conversation, { alternate: true }).wire).conversation;
      const spoken = messages.filter((message) => message.role !== 'system');
      expect(spoken[0]?.role).toBe('user');
      messages.slice(1).forEach((message, at) => {
        const before = messages[at];
        if (before !== undefined && isClash(before, message, id))
          throw new Error(`${at}: ${JSON.stringify([before, message])}`);
      });
      const late = messages.slice(messages.findIndex((message) => message.role !== 'system'));
      expect(late.filter((message) => message.role === 'system' && isText(message))).toEqual([]);
    });

    law('keeps every word, call and result, in order', (conversation) => {
      const { messages } = format.decode(encodeStrictly(format, conversation, STRICT).wire).conversation;
      const words = messages.map(textOf).join('\n');
      let from = 0;
      for (const message of conversation.messages)
        for (const part of message.parts) {
          if (part.type !== 'text' || message.role === 'system') continue;
          const at = words.indexOf(part.text.trimEnd(), from);
          if (at < 0) throw new Error(`lost: ${part.text}`);
          from = at;
        }
      expect(messages.flatMap(toolCallsOf).map((call) => call.arguments)).toEqual(
        conversation.messages.flatMap(toolCallsOf).map((call) => call.arguments),
      );
      expect(messages.flatMap(toolResultsOf)).toHaveLength(conversation.messages.flatMap(toolResultsOf).length);
    });

    law('gives ids and names that the server takes, and touches nothing else', (conversation) => {
      const { wire, notes } = encodeStrictly(format, conversation, { idChars: 40, names: true });
      const { messages } = format.decode(wire).conversation;
      const legal = /^[a-zA-Z0-9_-]{1,64}$/;
      const calls = messages.flatMap(toolCallsOf);
      expect(calls.filter(({ name }) => !legal.test(name))).toEqual([]);
      // Gemini pairs most calls without ids; those made up for them never reach the wire.
      if (id !== 'gemini') expect(calls.filter(({ callId }) => !/^[a-zA-Z0-9_-]{1,40}$/.test(callId))).toEqual([]);
      expect(messages).toHaveLength(conversation.messages.length);
      messages.forEach((message, at) => {
        const before = conversation.messages[at];
        const isCalled = before !== undefined && toolCallsOf(before).length + toolResultsOf(before).length > 0;
        if (!isCalled && message.raw !== undefined) expect(message.raw === before?.raw).toBe(true);
      });
      if (notes.length === 0) expect(wire === conversation.envelope).toBe(true);
    });

    it(`takes a compacted view too, for ${format.title}`, () =>
      check(
        fc.asyncProperty(scripts({ events: 14, output: 600 }), async (script) => {
          const conversation = lenient(id, script);
          const view = await compact(conversation, format, { target: targetOf(conversation, 0.4) });
          const { wire } = encodeStrictly(format, view.conversation, STRICT);
          const { conversation: again, notes } = format.decode(wire);
          expect([notes, format.check(again), encodeStrictly(format, again, STRICT).notes]).toEqual([[], [], []]);
        }),
        30,
      ));

    law('gives the wire value itself when nothing is demanded', (conversation) => {
      const { wire, notes } = encodeStrictly(format, conversation, {});
      expect([wire === conversation.envelope, notes]).toEqual([true, []]);
    });

    law('writes the same message the same way as the conversation grows', (conversation) => {
      const before = JSON.stringify(encodeStrictly(format, conversation, STRICT).wire);
      const user: Message = { role: 'user', parts: [{ type: 'text', text: 'And now?' }] };
      const last = conversation.messages.at(-1);
      expect(JSON.stringify(encodeStrictly(format, conversation, STRICT).wire)).toBe(before);
      // Calls in flight need their results first, and neighbours of the user are joined with what follows.
      if (last?.role !== 'assistant' || toolCallsOf(last).length > 0) return;
      const grown = { ...conversation, messages: [...conversation.messages, user] };
      const list = listIn(JSON.parse(before));
      const longer = listIn(JSON.parse(JSON.stringify(encodeStrictly(format, grown, STRICT).wire)));
      // White space at the very end is cut only while it is the end.
      expect(longer.slice(0, list.length - 1)).toEqual(list.slice(0, -1));
    });
  }
});

function listIn(wire: unknown): readonly unknown[] {
  const { messages, input, contents } = wire as Readonly<Record<string, readonly unknown[] | undefined>>;
  return messages ?? input ?? contents ?? [];
}
