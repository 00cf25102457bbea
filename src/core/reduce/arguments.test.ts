import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refOfText } from '../conversation/ref.ts';
import { shortenArguments } from './arguments.ts';

const ref = refOfText('whole call');
const NOTHING: ReadonlySet<string> = new Set();
const long = (lines: number): string => Array.from({ length: lines }, (_, at) => `line ${at} of the file`).join('\n');

describe('shortenArguments', () => {
  it('leaves short arguments and arguments that are not JSON alone', () => {
    expect(shortenArguments('{"a": "b"}', NOTHING, ref)).toBe('{"a": "b"}');
    for (const text of ['x '.repeat(600), `"${'x'.repeat(900)}"`, `{"half": "${'x'.repeat(900)}`])
      expect(shortenArguments(text, NOTHING, ref)).toBe(text);
  });

  it('shortens long strings and says how much is left out', () => {
    const short = JSON.parse(shortenArguments(JSON.stringify({ path: 'a.ts', content: long(100) }), NOTHING, ref));
    expect(short.path).toBe('a.ts');
    expect(short.content).toMatch(
      /^line 0 of the file\n[\s\S]*…\n\[\d+ characters left out, whole call ⟦r:[0-9a-f]{13}⟧\]$/,
    );
  });

  it('keeps lines and sentences that were chosen, also where the beginning is cut', () => {
    const content = `${'x'.repeat(100)}\nThis line crosses the cut and stays whole.\n${long(50)}\n${'Filler is here. '.repeat(20)}The port is 8080. ${'More of it. '.repeat(20)}`;
    const keep = new Set(['line 30 of the file', 'This line crosses the cut and stays whole.', 'The port is 8080.']);
    const short = JSON.parse(shortenArguments(JSON.stringify({ content }), keep, ref));
    for (const line of keep) expect(short.content.split('\n')).toContain(line);
  });

  it('leaves numbers, keys and layout as they are on the wire', () => {
    const text = `{ "id": 12345678901234567890, "rate": 1.0, "${'k'.repeat(300)}": "v",\n "content": "${'x'.repeat(900)}" }`;
    const short = shortenArguments(text, NOTHING, ref);
    expect(short).toContain('"id": 12345678901234567890, "rate": 1.0');
    expect(short).toContain(`"${'k'.repeat(300)}": "v"`);
    expect(short.length).toBeLessThan(text.length);
  });

  it('takes ten thousand levels of nesting', () => {
    const text = `${'{"a":'.repeat(10_000)}"${'x'.repeat(900)}"${'}'.repeat(10_000)}`;
    expect(shortenArguments(text, NOTHING, ref).length).toBeLessThan(text.length);
  });

  it('always gives valid JSON with the same keys, never longer, and the same when done twice', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 900, size: 'max' }),
      fc.integer(),
      fc.boolean(),
      fc.constant(long(40)),
    );
    const value = fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.string(), leaf)), {
      maxKeys: 6,
    });
    const keep = new Set(['line 30 of the file', 'line 3 of the file']);
    const shape = (node: unknown): unknown =>
      typeof node !== 'object' || node === null
        ? typeof node
        : Object.entries(node).map(([key, child]) => [key, shape(child)]);
    fc.assert(
      fc.property(value, (args) => {
        const text = JSON.stringify(args);
        const short = shortenArguments(text, keep, ref);
        expect(short.length).toBeLessThanOrEqual(text.length);
        expect(shape(JSON.parse(short))).toEqual(shape(JSON.parse(text)));
        expect(shortenArguments(short, keep, ref)).toBe(short);
      }),
    );
  });
});
