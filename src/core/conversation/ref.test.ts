import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { contentHash } from './hash.ts';
import { toolCallsOf, toolResultsOf } from './message.ts';
import { findOriginal, refOfCall, refOfPrefix, refOfResult, refOfText, refsIn } from './ref.ts';

const history = build()
  .system('Be careful.')
  .user('Go.')
  .call('Read', { path: 'a.ts' })
  .call('Read', { path: 'b.ts' })
  .result('content of a')
  .result('content of b')
  .assistant('Read both.')
  .decode(openaiChat).messages;

describe('refs', () => {
  it('lead from a result back to that result', () => {
    for (const [index, message] of history.entries())
      for (const part of toolResultsOf(message))
        expect(findOriginal(history, refOfResult(part))).toEqual({ type: 'result', part, message: index });
  });

  it('lead from a call back to that call', () => {
    for (const [index, message] of history.entries())
      for (const part of toolCallsOf(message))
        expect(findOriginal(history, refOfCall(part))).toEqual({ type: 'call', part, message: index });
  });

  it('lead from a beginning of the history to its messages, also when more was said since', () => {
    const later = [...history, ...build().user('More.').decode(openaiChat).messages];
    for (let count = 1; count <= history.length; count++)
      expect(findOriginal(later, refOfPrefix(history, count))).toEqual({
        type: 'messages',
        messages: history.slice(0, count),
      });
  });

  it('differ for every beginning, and lead nowhere in another history', () => {
    const refs = history.map((_, index) => refOfPrefix(history, index + 1));
    expect(new Set(refs).size).toBe(history.length);
    expect(findOriginal(history.slice(1), refs.at(-1) ?? '')).toBeNull();
    expect(findOriginal(history, refOfText('never said'))).toBeNull();
  });

  it('are found in a text, and nothing else is', () => {
    const ref = refOfText('x');
    expect(refsIn(`see ${ref} and ${ref}, not ⟦r:12⟧ or r:0000000000000`)).toEqual([ref, ref]);
    expect(refsIn('nothing')).toEqual([]);
  });

  it('are made of thirteen hex digits, the same for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(contentHash(text)).toMatch(/^[0-9a-f]{13}$/);
        expect(refOfText(text)).toBe(refOfText(text));
      }),
    );
  });
});
