import { expect, test } from 'vitest';
import { killWriters } from './kill.ts';

/** A process takes longer to start than to be killed. `npm run bench crash` kills ten times as many. */
const KILLS = 60;

test('a killed writer leaves what was acknowledged, whole batches only, and contexts that can be taken over', async () => {
  const report = await killWriters(KILLS);
  expect(report.kills).toBe(KILLS);
  expect(report.acknowledged).toBeGreaterThan(KILLS);
  expect(report.absentBatches).toBeGreaterThan(0);
  expect(Object.keys(report.during)).toEqual(expect.arrayContaining(['open', 'commit', 'gc']));
}, 180_000);
