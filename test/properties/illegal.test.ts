import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PrecisError } from '../../src/core/errors.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { scripts, wireOf } from './arbitraries.ts';
import { check, FORMATS } from './support.ts';

const garbage: fc.Arbitrary<unknown> = fc.constantFrom(null, 5, '', 'x', true, [], {}, [null], [{ type: 'text' }], {
  a: 1,
});

/** The value with whatever stands behind some key on some path replaced, removed or doubled. */
function broken(value: unknown, path: readonly number[], by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = broken(copy[key], rest, by);
  return copy;
}

describe('a wire value with a wrong field', () => {
  for (const id of ['ai-sdk', 'langchain'] as const) {
    const format = FORMATS[id];
    it(`is refused with the name of the message and the field, or read to something sound, for ${format.title}`, () =>
      check(
        fc.asyncProperty(
          scripts({ events: 6, output: 300 }),
          fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
          garbage,
          async (script, path, by) => {
            // As JSON, in which nothing is a class and nothing is bytes.
            const { messages } = JSON.parse(JSON.stringify(wireOf(id, script))) as { readonly messages: unknown };
            const wire = broken(messages, path, by);
            expect(() => detectFormat(wire)).not.toThrow();
            try {
              const { conversation } = format.decode(wire);
              expect(format.check(conversation)).toEqual([]);
            } catch (error) {
              if (!PrecisError.is(error)) throw error;
              expect(error.code).toBe('bad-input');
              expect(error.message).toMatch(/^message \d+: expected |^expected an array of messages/);
            }
          },
        ),
        1_500,
      ));
  }
});
