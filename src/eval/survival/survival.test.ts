import { describe, expect, test } from 'vitest';
import type { Message } from '../../core/conversation/message.ts';
import { refOfResult } from '../../core/conversation/ref.ts';
import { factOf } from '../probes/bank.ts';
import type { Probe } from '../types.ts';
import { behindRefs, survivalOf } from './survival.ts';

function probe(...expected: Probe['expected']): Probe {
  return { id: 'p', type: 'recall', question: 'What?', expected, pass: null };
}

const file = factOf({ value: 'src/window.ts', kind: 'path' });
const hash = factOf({ value: '98cbe1a', kind: 'hash', weight: 'okay' });

describe('survival', () => {
  test('is the share of facts by weight, with and without what can be had back', async () => {
    const found = await survivalOf(probe(file, hash), 'rm src/window.ts', { recoverable: () => true });
    expect(found.facts.map(({ outcome }) => outcome)).toEqual(['verbatim', 'recoverable']);
    expect(found.visible).toBeCloseTo(2 / 3);
    expect(found.survival).toBe(1);
  });

  test('has no share without facts', async () => {
    expect(await survivalOf(probe(), 'anything')).toEqual({ facts: [], survival: null, visible: null });
  });

  test('does not have back what the view says wrongly', async () => {
    const limit = factOf({ value: '250 per minute', kind: 'number', stale: ['100 per minute'] });
    const found = await survivalOf(probe(limit), 'it is 100 per minute', { recoverable: async () => true });
    expect(found).toMatchObject({ survival: 0, facts: [{ outcome: 'stale' }] });
  });

  test('finds facts behind the ref of a result, but not behind one that stands nowhere', () => {
    const part = {
      type: 'tool-result',
      callId: 'c',
      content: [{ type: 'text', text: 'deleted src/window.ts' }],
      isError: false,
    } as const;
    const history: readonly Message[] = [
      { role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', name: 'bash', arguments: '{}' }] },
      { role: 'tool', parts: [part] },
    ];
    const view = (text: string): readonly Message[] => [{ role: 'user', parts: [{ type: 'text', text }] }];
    expect(behindRefs(view(`shortened ${refOfResult(part)}`), history)(file)).toBe(true);
    expect(behindRefs(view(`shortened ${refOfResult(part)}`), history)(hash)).toBe(false);
    expect(behindRefs(view('shortened'), history)(file)).toBe(false);
  });
});
