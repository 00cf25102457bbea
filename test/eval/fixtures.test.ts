/** The shipped fixtures measure compaction and nothing else. */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openFixtures } from '../../src/cli/fixtures/fixtures.ts';
import { checkBank } from '../../src/eval/probes/check/check.ts';
import { haystackOf } from '../../src/eval/survival/match/haystack.ts';
import { survivalOf } from '../../src/eval/survival/survival.ts';
import { viewText } from '../../src/eval/survival/view-text.ts';
import { openSessionFile } from '../../src/sessions/open.ts';

const folder = fileURLToPath(new URL('../../fixtures', import.meta.url));
const fixtures = await openFixtures({ open: openSessionFile }, folder);
const mean = (shares: readonly (number | null)[]): number => {
  const known = shares.filter((share) => share !== null);
  return known.reduce((sum, share) => sum + share, 0) / known.length;
};

describe.each(fixtures.map((each) => [each.fixture.name, each] as const))('the fixture %s', (_name, each) => {
  const { fixture, bank, conversation } = each;
  const probes = bank?.probes ?? [];

  test('has eight probes and more, all of them sound', () => {
    expect(probes.length).toBeGreaterThanOrEqual(8);
    const { findings } = checkBank(fixture, { probes }, { conversation });
    expect(findings.filter(({ severity }) => severity === 'unsound')).toEqual([]);
  });

  test('can be answered with all of it, and not without', async () => {
    const whole = haystackOf(viewText(conversation.messages));
    const system = viewText(conversation.messages.filter(({ role }) => role === 'system'));
    const full = await Promise.all(probes.map((probe) => survivalOf(probe, whole)));
    const none = await Promise.all(probes.map((probe) => survivalOf(probe, `${system}\n${probe.question}`)));
    expect(mean(full.map(({ visible }) => visible))).toBeGreaterThanOrEqual(0.98);
    expect(mean(none.map(({ visible }) => visible))).toBeLessThanOrEqual(0.05);
  });

  test('says what it is, and is small enough to be read', () => {
    expect(fixture.description).not.toBe('');
    expect(bank?.fixture).toBe(fixture.name);
    expect(statSync(fixture.file).size).toBeLessThan(LARGEST);
  });
});

/** Of one that a person reads; those that a script makes are not kept in the repository. */
const LARGEST = 1_500_000;
