import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SoundConversation } from '../../src/core/conversation/sound.ts';
import { readSession } from '../../src/sessions/index.ts';
import { listOf, scripts, wireOf } from './arbitraries.ts';
import { check, FORMAT_IDS, FORMATS } from './support.ts';

describe('a file of messages', () => {
  for (const id of FORMAT_IDS)
    it(`is no log of an agent, and is written back byte for byte, for ${FORMATS[id].title}`, () =>
      check(
        fc.asyncProperty(scripts({ events: 12, output: 300 }), async (script) => {
          const wire = wireOf(id, script);
          const list = listOf(id, wire);
          const texts = [
            JSON.stringify(wire),
            JSON.stringify(list, null, 2),
            list.map((item) => JSON.stringify(item)).join('\n'),
          ];
          for (const text of texts.slice(0, list.length > 1 ? 3 : 2)) {
            const found = readSession(text, { name: 'x' });
            expect(found.source.reader).toBe('generic');
            expect(found.write(found.conversation as SoundConversation)).toBe(text);
            // Plain text is legal in several formats, so the right one may have to be named.
            const { format, conversation, notes } = readSession(text, { name: 'x', format: id });
            expect([format.id, notes]).toEqual([id, []]);
            expect(FORMATS[id].check(conversation)).toEqual([]);
          }
        }),
        100,
      ));
});
