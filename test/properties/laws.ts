import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hugeResult, longRun, type Script, scripts, type WireFormat } from './arbitraries.ts';
import { check, decoded, FORMATS, obeys, share, targetOf } from './support.ts';

/** Milliseconds: several formats run side by side, on a machine that may be shared. */
const PATIENCE = 180_000;

/** Every law of a compaction, over thousands of generated conversations of one format. One file a format, so that they run side by side. */
export function lawsOf(id: WireFormat): void {
  const format = FORMATS[id];
  const outcomes = new Map<string, number>();
  const holds = async (script: Script, part: number): Promise<void> => {
    const conversation = decoded(id, script);
    const { outcome, refusal, receipt } = await obeys({ conversation, format, target: targetOf(conversation, part) });
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    // The engine may decline, but not because its own edit would have broken a rule.
    if (refusal === 'unsound') throw new Error(`an edit broke a rule: ${receipt.reason}`);
  };

  describe(`compactions of ${format.title}`, () => {
    it('obey every law on 1,700 short conversations', { timeout: PATIENCE }, () =>
      check(fc.asyncProperty(scripts({ events: 7, output: 600 }), share, holds), 1_700),
    );

    it('obey every law on 250 longer conversations', { timeout: PATIENCE }, () =>
      check(fc.asyncProperty(scripts({ events: 28 }), share, holds), 250),
    );

    it('obey every law when one result is as large as a file', { timeout: PATIENCE }, () =>
      check(fc.asyncProperty(hugeResult, share, holds), 30),
    );

    it('obey every law after one prompt and a hundred steps', { timeout: PATIENCE }, () =>
      check(fc.asyncProperty(longRun, share, holds), 15),
    );

    it('were of every kind, so that the laws had something to look at', () => {
      const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
      expect(total).toBeGreaterThan(1_900);
      expect((outcomes.get('folded') ?? 0) / total).toBeGreaterThan(0.2);
      for (const outcome of ['condensed', 'refused']) expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(50);
    });
  });
}
