/** The offline evaluation of the shipped fixtures, as `npm start` runs it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { precis } from '../cli/fake-world.ts';

const results = mkdtempSync(join(tmpdir(), 'precis-shipped-'));
afterAll(() => rmSync(results, { recursive: true, force: true }));

interface Summary {
  readonly arm: string;
  readonly survival: number;
  readonly invalid: readonly string[];
  readonly byFixture: Readonly<Record<string, number>>;
}

test('the whole session holds every bank, nothing holds none, and the candidate is far above truncation', async () => {
  const { code, out } = await precis(['eval', '--results', results, '--label', 'shipped', '--json']);
  expect(code).toBe(0);
  const arms = new Map((JSON.parse(out) as { arms: readonly Summary[] }).arms.map((each) => [each.arm, each]));
  for (const share of Object.values(arms.get('full')?.byFixture ?? {})) expect(share).toBeGreaterThanOrEqual(0.98);
  for (const share of Object.values(arms.get('none')?.byFixture ?? {})) expect(share).toBeLessThanOrEqual(0.05);
  const survival = (arm: string): number => arms.get(arm)?.survival ?? Number.NaN;
  expect(survival('candidate')).toBeGreaterThan(survival('truncation') + 0.2);
  expect(survival('candidate+recall')).toBeGreaterThanOrEqual(survival('candidate'));
  expect(survival('full')).toBeGreaterThanOrEqual(survival('candidate'));
  // Where hardly anything is output, condensing alone saves nothing, and that is said.
  for (const { arm, invalid } of arms.values()) if (arm !== 'condense-only') expect(invalid, arm).toEqual([]);
});

test('a chain of compactions over every shipped session, with a compactor of a user beside it', async () => {
  const command = `${process.execPath} -e "let t='';process.stdin.on('data',c=>t+=c).on('end',()=>{const m=JSON.parse(t);console.log(JSON.stringify([m[0],...m.filter(x=>x.role==='user').slice(-4)]))})"`;
  const { code, out } = await precis([
    'eval',
    '--results',
    results,
    '--label',
    'chain',
    '--json',
    '--passes',
    '2',
    '--arms',
    'candidate,truncation',
    '--runs',
    '1',
    '--arm',
    `users=${command}`,
  ]);
  expect(code).toBe(0);
  for (const { arm, invalid } of (JSON.parse(out) as { arms: readonly Summary[] }).arms)
    if (arm !== 'condense-only') expect(invalid, arm).toEqual([]);
}, 60_000);
