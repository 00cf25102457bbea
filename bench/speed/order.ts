import type { Given } from './workload.ts';

/** What a child process is to do. */
export type Order = SizedOrder | { readonly type: 'lines'; readonly budgetMs: number };

export interface SizedOrder extends Given {
  readonly type: 'sized';
  readonly workload: string;
  readonly budgetMs: number;
}
