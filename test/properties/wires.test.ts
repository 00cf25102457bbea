/** Wire values put together at random, legal or not: they are read, mended with a note, or refused by name; never broken in silence. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSound } from '../../src/core/conversation/sound.ts';
import { PrecisError } from '../../src/core/errors.ts';
import type { Format } from '../../src/core/format.ts';
import { gemini, openaiResponses } from '../../src/formats/index.ts';
import { check, obeys, targetOf } from './support.ts';

const text = fc.constantFrom('', 'x', 'Never log ips.', `${'long words here '.repeat(60)}end`);
const callId = fc.constantFrom('a', 'b', 'c');
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });
/** What stands where something else should: rarely, so that most values are legal. */
const junk: fc.Arbitrary<unknown> = fc.constantFrom(null, 7, 'junk', [], {}, [7], { type: 3 });

/** The record without the fields that are undefined, as JSON would have it. */
function record(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record(fields)
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)));
}

const contentPart = fc.oneof(
  record({ type: fc.constantFrom('input_text', 'output_text'), text }),
  record({ type: fc.constant('input_image'), image_url: fc.constant('https://shop.example/a.png') }),
  record({ type: fc.constant('input_file'), filename: text, file_data: fc.constant('AAAA') }),
  record({ type: fc.constant('refusal'), refusal: text }),
  record({ type: fc.constant('hologram'), depth: fc.nat(3) }),
);
const content = fc.oneof(text, fc.array(contentPart, { maxLength: 3 }));
const items: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: record({
      type: optional(fc.constant('message')),
      role: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'developer'),
      id: optional(fc.constant('msg_1')),
      content,
    }),
  },
  {
    weight: 4,
    arbitrary: record({
      type: fc.constant('reasoning'),
      id: fc.constant('rs_1'),
      summary: fc.array(record({ type: fc.constant('summary_text'), text }), { maxLength: 2 }),
      encrypted_content: optional(text),
    }),
  },
  {
    weight: 8,
    arbitrary: record({
      type: fc.constant('function_call'),
      call_id: callId,
      id: optional(callId),
      name: fc.constantFrom('read', 'bash'),
      arguments: text,
    }),
  },
  { weight: 8, arbitrary: record({ type: fc.constant('function_call_output'), call_id: callId, output: content }) },
  { weight: 2, arbitrary: record({ type: fc.constant('custom_tool_call'), call_id: callId, name: text, input: text }) },
  { weight: 2, arbitrary: record({ type: fc.constant('custom_tool_call_output'), call_id: callId, output: content }) },
  { weight: 1, arbitrary: record({ type: fc.constant('shell_call'), call_id: callId, action: fc.constant({ a: 1 }) }) },
  {
    weight: 1,
    arbitrary: record({ type: fc.constant('shell_call_output'), call_id: callId, output: fc.constant([]) }),
  },
  {
    weight: 1,
    arbitrary: record({
      type: fc.constantFrom('web_search_call', 'compaction', 'compaction_trigger', 'item_reference', 'tomorrow'),
      id: callId,
    }),
  },
);

const name = fc.constantFrom('read', 'bash');
const parts: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: record({ text, thoughtSignature: optional(fc.constant('c2ln')) }) },
  { weight: 1, arbitrary: record({ text, thought: fc.constant(true) }) },
  {
    weight: 5,
    arbitrary: record({
      functionCall: record({ id: optional(callId), name, args: optional(record({ path: text })) }),
      thoughtSignature: optional(fc.constant('c2ln')),
    }),
  },
  {
    weight: 5,
    arbitrary: record({
      functionResponse: record({
        id: optional(callId),
        name,
        response: fc.oneof(record({ output: text }), record({ error: text }), record({ a: text, b: fc.nat(9) })),
      }),
    }),
  },
  { weight: 1, arbitrary: record({ inline_data: fc.constant({ mime_type: 'image/png', data: 'AAAA' }) }) },
  { weight: 1, arbitrary: record({ executableCode: record({ code: text }) }) },
);
const contents: fc.Arbitrary<unknown> = record({
  role: fc.constantFrom('user', 'model', 'user', 'model', undefined),
  parts: fc.array(parts, { maxLength: 4 }),
});

/** Sometimes one field of one element is something else altogether. */
function spoilt(list: readonly unknown[], at: number, value: unknown): readonly unknown[] {
  const victim = list[at % Math.max(1, list.length)];
  if (typeof victim !== 'object' || victim === null) return list;
  const keys = Object.keys(victim);
  const key = keys[at % Math.max(1, keys.length)] ?? 'role';
  return list.with(at % list.length, { ...victim, [key]: value });
}

/** Each format knows one of them. */
const KEPT = { previous_response_id: 'resp_1', cachedContent: 'cachedContents/1' };

const CASES: readonly (readonly [Format, fc.Arbitrary<unknown>, (list: readonly unknown[]) => object])[] = [
  [openaiResponses, items, (input) => ({ model: 'any', instructions: 'Be brief.', input })],
  [gemini, contents, (list) => ({ system_instruction: { parts: [{ text: 'Be brief.' }] }, contents: list })],
];

describe('wire values at random', () => {
  for (const [format, element, request] of CASES) {
    const holds = async (wire: unknown): Promise<void> => {
      const before = JSON.stringify(wire);
      const { conversation, notes } = format.decode(wire);
      const checked = checkSound(conversation, format);
      if (checked.type === 'unsound') throw new Error(JSON.stringify(checked.issues));
      const encoded = format.encode(checked.conversation);
      if (notes.length === 0) expect(encoded === wire).toBe(true);
      // Mended once, it needs no mending again.
      expect(format.decode(encoded).notes).toEqual([]);
      expect(JSON.stringify(wire)).toBe(before);
      const { conversation: view } = await obeys({ conversation, format, target: targetOf(conversation, 0.4) });
      const viewed = checkSound(view, format);
      if (viewed.type === 'unsound') throw new Error(JSON.stringify(viewed.issues));
      expect(format.decode(JSON.parse(JSON.stringify(format.encode(viewed.conversation)))).notes).toEqual([]);
    };

    it(`are mended and compacted, alone or in a request, for ${format.title}`, { timeout: 60_000 }, () =>
      check(
        fc.asyncProperty(fc.array(element, { maxLength: 14 }), fc.boolean(), (list, whole) =>
          holds(whole ? request(list) : list),
        ),
        1_000,
      ),
    );

    it(`are given back as they are while a server keeps the history, for ${format.title}`, () =>
      check(
        fc.asyncProperty(fc.array(element, { maxLength: 14 }), async (list) => {
          const wire = { ...request(list), ...KEPT };
          const { conversation, notes } = format.decode(wire);
          const checked = checkSound(conversation, format);
          expect([notes, checked.type === 'sound' && format.encode(checked.conversation) === wire]).toEqual([[], true]);
        }),
        1_000,
      ));

    it(`are refused by name where a field is wrong, for ${format.title}`, { timeout: 60_000 }, () =>
      check(
        fc.asyncProperty(
          fc.array(element, { minLength: 1, maxLength: 8 }),
          fc.nat(40),
          junk,
          async (list, at, value) => {
            const wire = spoilt(list, at, value);
            try {
              await holds(wire);
            } catch (error) {
              if (!PrecisError.is(error)) throw error;
              expect(error.code).toBe('bad-input');
              expect(error.message).toMatch(/^message \d+: expected /);
              expect(typeof error.data['field']).toBe('string');
            }
          },
        ),
        1_000,
      ),
    );
  }
});
