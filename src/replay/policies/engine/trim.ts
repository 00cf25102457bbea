import type { Policy } from '../policy.ts';
import { engineRun } from './engine-run.ts';

export const trim: Policy = {
  id: 'trim',
  title: 'trim at insertion',
  note: 'Results above 4,000 tokens enter the view trimmed; nothing that was sent is changed until the window is full.',
  start: (setup) => ({ ...engineRun(setup, { trim: {} }), before: () => null }),
};
