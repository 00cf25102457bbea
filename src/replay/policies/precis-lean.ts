import type { Policy } from '../types.ts';
import { engineRun } from './engine.ts';

/** Results are trimmed earlier, cuts come earlier and go deeper: each change of what was sent must be worth its price. */
const TRIM_TOKENS = 1_000;
const THRESHOLD_SHARE = 0.5;
const TARGET_SHARE = 0.1;

export const precisLean: Policy = {
  id: 'precis-lean',
  title: 'precis: few and deep cuts',
  note: 'The engine with other limits: results above 1,000 tokens enter trimmed; above half of the window it cuts to a tenth.',
  start: (setup) =>
    engineRun(setup, {
      trim: { tokens: TRIM_TOKENS },
      limits: { thresholdRatio: THRESHOLD_SHARE, target: Math.max(1, Math.floor(setup.window * TARGET_SHARE)) },
    }),
};
