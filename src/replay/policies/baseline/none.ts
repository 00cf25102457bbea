import type { Policy } from '../policy.ts';

export const none: Policy = {
  id: 'none',
  title: 'no compaction',
  note: 'Nothing is cut until the window is full; then the oldest steps are dropped, down to half of it.',
  start: () => ({ before: () => null }),
};
