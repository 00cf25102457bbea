import type { Policy } from '../policy.ts';
import { engineRun } from './engine-run.ts';

export const precis: Policy = {
  id: 'precis',
  title: 'precis: condense + fold',
  note: 'The engine with its default limits: old output is condensed, and folded into a handoff made of quotes when that is not enough.',
  start: (setup) => engineRun(setup),
};
