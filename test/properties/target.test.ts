import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import { scripts } from './arbitraries.ts';
import { check, decoded, FORMAT_IDS, FORMATS, share, targetOf, tokensOf } from './support.ts';

describe('a target', () => {
  for (const id of FORMAT_IDS) {
    const format = FORMATS[id];

    it(`that is refused names the smallest one that works, and that one does work, for ${format.title}`, () =>
      check(
        fc.asyncProperty(scripts(), fc.constantFrom(0.001, 0.05, 0.15, 0.3), async (script, part) => {
          const conversation = decoded(id, script);
          const { outcome, refusal, smallestTarget } = await compact(conversation, format, {
            target: targetOf(conversation, part),
          });
          if (outcome !== 'refused') return;
          expect(smallestTarget !== null).toBe(refusal === 'target-too-small');
          if (smallestTarget === null || smallestTarget >= tokensOf(conversation)) return;
          const again = await compact(conversation, format, { target: smallestTarget });
          expect(`${again.outcome} ${again.refusal}`).not.toContain('target-too-small');
        }),
        100,
      ));

    it(`that works also works when it is larger, for ${format.title}`, () =>
      check(
        fc.asyncProperty(scripts(), share, fc.integer({ min: 1, max: 400 }), async (script, part, more) => {
          const conversation = decoded(id, script);
          const target = targetOf(conversation, part);
          const small = await compact(conversation, format, { target });
          if (small.outcome === 'refused') return;
          const large = await compact(conversation, format, { target: target + more });
          expect(large.refusal).toBeNull();
        }),
        100,
      ));

    it(`of any size above the conversation leaves it alone, for ${format.title}`, () =>
      check(
        fc.asyncProperty(scripts({ events: 6 }), fc.nat(1_000), async (script, more) => {
          const conversation = decoded(id, script);
          const { outcome, conversation: after } = await compact(conversation, format, {
            target: tokensOf(conversation) + more,
          });
          expect(outcome).toBe('unchanged');
          expect(after === conversation).toBe(true);
        }),
        100,
      ));
  }
});
