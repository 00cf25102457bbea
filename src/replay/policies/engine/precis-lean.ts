import type { Policy } from '../policy.ts';
import { engineRun } from './engine-run.ts';

/** Limits that trim earlier, and cut earlier and deeper, so that each change of sent messages is worth its price. */
const TRIM_TOKENS = 800;
const THRESHOLD_SHARE = 0.55;
const TARGET_SHARE = 0.1;
const MOST_TARGET_SHARE = 0.25;

export const precisLean: Policy = {
  id: 'precis-lean',
  title: 'precis: few and deep cuts',
  note: 'The engine with other limits: results above 800 tokens enter trimmed; above 55 % of the window it cuts to a tenth.',
  start: (setup) => {
    // Where system prompt and tools fill most of the window, a tenth of it may exceed the threshold of the rest.
    const most = (setup.window - setup.fixedTokens) * MOST_TARGET_SHARE;
    const target = Math.max(1, Math.floor(Math.min(setup.window * TARGET_SHARE, most)));
    return engineRun(setup, { trim: { tokens: TRIM_TOKENS }, limits: { thresholdRatio: THRESHOLD_SHARE, target } });
  },
};
