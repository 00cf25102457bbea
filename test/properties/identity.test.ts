import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSound } from '../../src/core/conversation/sound.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { hugeResult, listOf, longRun, type Script, scripts, type WireFormat, wireOf, withList } from './arbitraries.ts';
import { check, FORMAT_IDS, FORMATS, fixtures, obeys, targetOf } from './support.ts';

/** What only this format has. */
const TELLING: Readonly<Record<WireFormat, string>> = {
  'openai-chat': '"tool_calls"',
  anthropic: '"tool_use"',
  'openai-responses': '"input"',
  gemini: '"contents"',
  'ai-sdk': '"tool-call"',
  langchain: '"content"',
};

describe('decoding and encoding', () => {
  for (const id of FORMAT_IDS) {
    const format = FORMATS[id];
    const givesBack = (script: Script): void => {
      const wire = wireOf(id, script);
      const text = JSON.stringify(wire);
      const { conversation, notes } = format.decode(wire);
      expect(notes).toEqual([]);
      const checked = checkSound(conversation, format);
      if (checked.type === 'unsound') throw new Error(JSON.stringify(checked.issues));
      expect(format.encode(checked.conversation) === wire).toBe(true);
      expect(JSON.stringify(wire)).toBe(text);
    };

    it(`gives back the very value that came in, for ${format.title}`, () =>
      check(
        fc.asyncProperty(scripts({ events: 30 }), async (script) => givesBack(script)),
        400,
      ));

    it(`gives back long runs and huge results too, for ${format.title}`, () =>
      check(
        fc.asyncProperty(fc.oneof(longRun, hugeResult), async (script) => givesBack(script)),
        40,
      ));

    it(`recognises what it wrote, for ${format.title}`, () =>
      check(
        fc.asyncProperty(scripts({ events: 6 }), async (script) => {
          const wire = wireOf(id, script);
          expect(format.detect(wire)).toBeGreaterThan(0);
          // A few messages of plain text are legal in several formats.
          if (JSON.stringify(wire).includes(TELLING[id])) expect(detectFormat(wire)?.id).toBe(id);
        }),
        200,
      ));

    it(`makes something sound, and compactable, of a log with messages missing or out of order, for ${format.title}`, () =>
      check(
        fc.asyncProperty(
          scripts({ events: 12, output: 500 }),
          fc.array(fc.record({ at: fc.nat(60), what: fc.constantFrom('drop', 'repeat', 'swap') }), {
            minLength: 1,
            maxLength: 5,
          }),
          async (script, faults) => {
            const wire = wireOf(id, script);
            const messages = [...listOf(id, wire)];
            for (const { at, what } of faults) {
              const index = at % Math.max(1, messages.length);
              const [message] = messages.slice(index, index + 1);
              if (message === undefined) continue;
              if (what === 'drop') messages.splice(index, 1);
              else if (what === 'repeat') messages.splice(index, 0, message);
              else messages.splice(0, 0, ...messages.splice(index, 1));
            }
            const { conversation } = format.decode(withList(id, wire, messages));
            const checked = checkSound(conversation, format);
            if (checked.type === 'unsound') throw new Error(JSON.stringify(checked.issues));
            // Mended once, it needs no mending again.
            expect(format.decode(format.encode(checked.conversation)).notes).toEqual([]);
            await obeys({ conversation, format, target: targetOf(conversation, 0.4) });
          },
        ),
        200,
      ));
  }

  for (const { name, format, wire, conversation } of fixtures())
    it(`gives back the session ${name}`, () => {
      const checked = checkSound(conversation, format);
      expect(checked.type === 'sound' && format.encode(checked.conversation) === wire).toBe(true);
    });
});
