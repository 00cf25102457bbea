import type { Policy } from '../policy.ts';
import { engineRun } from './engine-run.ts';

export const trimPrecis: Policy = {
  id: 'trim-precis',
  title: 'trim + precis',
  note: 'Results above 4,000 tokens enter the view trimmed; beyond the threshold the engine condenses and folds.',
  start: (setup) => engineRun(setup, { trim: {} }),
};
