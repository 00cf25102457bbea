import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/work/cpu-time.ts';
import type { Message, ToolCallPart } from '../conversation/message.ts';
import { createChunker, cutSections, sectionsOf } from './chunks.ts';
import { stem } from './words.ts';

const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const call: ToolCallPart = {
  type: 'tool-call',
  callId: 'c1',
  name: 'bash',
  arguments: '{"command":"npm run migrate"}',
};
const result = (text: string): Message => ({
  role: 'tool',
  parts: [{ type: 'tool-result', callId: 'c1', content: [{ type: 'text', text }], isError: false }],
});

test('the chunks of a section cover all that is not blank, in order, without overlap', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 12 }), (lines) => {
      const text = lines.join('\n');
      const chunks = cutSections(sectionsOf(said(text), () => undefined));
      let end = 0;
      for (const { from, to } of chunks) {
        expect(text.slice(end, from).trim()).toBe('');
        expect(to).toBeGreaterThan(from);
        expect(to - from).toBeLessThanOrEqual(560);
        end = to;
      }
      expect(text.slice(end).trim()).toBe('');
    }),
  );
});

test('a result is found by the words of its call', () => {
  const chunker = createChunker();
  chunker({ role: 'assistant', parts: [call] });
  expect(chunker(result('done in 3 s'))[0]?.words).toEqual(expect.arrayContaining(['bash', stem('migrate'), '3']));
});

test('a chunker knows the calls of messages that were there before', () => {
  const chunker = createChunker([{ role: 'assistant', parts: [call] }]);
  expect(chunker(result('done'))[0]?.words).toContain(stem('migrate'));
});

test('a call is found by its name and arguments', () => {
  expect(createChunker()({ role: 'assistant', parts: [call] })[0]?.words).toEqual(
    expect.arrayContaining(['bash', 'npm', stem('migrate')]),
  );
});

test('an empty result is still found by its call', () => {
  const chunker = createChunker([{ role: 'assistant', parts: [call] }]);
  expect(chunker(result(''))).toHaveLength(1);
});

test('JSON in one line is opened; JSON in lines stays', () => {
  const packed = sectionsOf(result('{"output":"first\\nsecond"}'), () => undefined);
  expect(packed[0]?.text).toBe('first\nsecond');
  const pretty = '{\n  "port": 8443\n}';
  expect(sectionsOf(result(pretty), () => undefined)[0]?.text).toBe(pretty);
});

test.each([
  ['one letter', 'a'.repeat(1_000_000)],
  ['dots', 'a.'.repeat(500_000)],
  ['spaces', ' '.repeat(1_000_000)],
  ['Chinese', '上下文压缩'.repeat(200_000)],
  ['line breaks', '\n'.repeat(1_000_000)],
  ['open brackets', '['.repeat(1_000_000)],
])('a megabyte of %s takes linear time', async (_what, text) => {
  const timed = (value: string): Promise<number> => cpuMsOf(() => createChunker()(result(value)));
  await timed(text.slice(0, 100_000));
  const small = await timed(text.slice(0, 125_000));
  const large = await timed(text);
  // Eight times the text; quadratic work would be 64 times as much.
  expect(large).toBeLessThan(Math.max(small, 40) * 32);
});
