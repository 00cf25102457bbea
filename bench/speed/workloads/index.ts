import type { Workload } from '../workload.ts';
import { codecWorkloads } from './codec.ts';
import { compactionWorkloads } from './compaction.ts';
import { livingWorkloads } from './living.ts';
import { searchWorkloads } from './search.ts';
import { storeWorkloads } from './store.ts';

/** In the order of the tables. A new one needs a line here, and one in `names.ts`. */
export const workloads: readonly Workload[] = [
  ...codecWorkloads,
  ...compactionWorkloads,
  ...livingWorkloads,
  ...searchWorkloads,
  ...storeWorkloads,
];
