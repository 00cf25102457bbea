import type { Policy } from '../policy.ts';
import { engineRun } from './engine-run.ts';

/** The view must be this many times the fold target. A smaller gain is not worth the loss of content. */
const LEAST_EXCESS = 1.5;

export const idle: Policy = {
  id: 'idle',
  title: 'precis when the cache is cold',
  note: 'The engine also compacts early, when the cache has expired anyway and the view is half as large again as the fold target.',
  start: (setup) =>
    engineRun(setup, { isDue: ({ isCold }, { tokens, foldTarget }) => isCold && tokens > foldTarget * LEAST_EXCESS }),
};
