import type { KillReport } from '../../test/crash/kill.ts';
import type { ContextKills } from '../../test/crash/kill-context.ts';
import type { LongLife } from '../context.ts';
import type { ReaderRow } from '../readers.ts';
import type { CleanRow, GrowthRow, PlantedRow } from '../scrub.ts';
import type { StoreFigures } from '../store.ts';
import type { SurvivalRow } from '../survival.ts';

/** What `npm run bench:own` measured: figures of precis alone that are no matter of speed by size. Written to `bench/results/own.json`. */
export interface OwnResults {
  readonly version: 1;
  readonly date: string;
  /** The code that was measured, as `measuredCommit()` names it. */
  readonly commit: string | null;
  readonly node: string;
  readonly cores: number;
  readonly survival: readonly SurvivalRow[];
  readonly longLife: LongLife;
  readonly store: StoreFigures;
  readonly readers: readonly ReaderRow[];
  readonly scrub: {
    readonly planted: PlantedRow;
    readonly clean: CleanRow;
    readonly growth: readonly GrowthRow[];
  };
  readonly crash: { readonly writers: KillReport; readonly contexts: ContextKills };
}
