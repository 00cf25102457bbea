import { fillers } from './fillers/all.ts';
import type { Filler } from './fillers/filler.ts';
import type { FormatId } from './said.ts';

/** One loop: what fills the window, how it is spoken, and against which server. */
export interface LoopSpec {
  /** Filler, format, window, and `usage` or `no-usage`, joined by `/`. */
  readonly name: string;
  readonly filler: string;
  readonly format: FormatId;
  /** Tokens that the server accepts, the reserved output included. */
  readonly window: number;
  readonly reportsUsage: boolean;
  /** In the middle of the loop, the context is closed and opened again from this store. */
  readonly restart: 'memory' | 'sqlite' | null;
  readonly turns: number;
}

const TURNS = 60;
/** The order in which fillers take windows: two neighbours always differ. A loop takes as long as its window is large. */
const WINDOWS: readonly number[] = [8_000, 16_000, 8_000, 16_000, 32_000];
const LARGE = 200_000;
const RESTARTS: readonly LoopSpec['restart'][] = ['memory', null, 'sqlite', null, null];

/** Every filler in every format it can exist in, in two windows, once with usage and once without; some also in a large window. */
export function allSpecs(): readonly LoopSpec[] {
  return fillers.flatMap((filler, at) => [
    ...filler.formats.flatMap((format, index) => pairOf(filler, format, at + index)),
    ...filler.large.map((format, index) =>
      spec(filler, { format, window: LARGE, reportsUsage: (at + index) % 2 === 0, restart: null }),
    ),
  ]);
}

function pairOf(filler: Filler, format: FormatId, at: number): readonly LoopSpec[] {
  const { windows = WINDOWS } = filler;
  const one = { format, window: windows[at % windows.length] ?? LARGE, reportsUsage: true };
  const other = { format, window: windows[(at + 1) % windows.length] ?? LARGE, reportsUsage: false };
  return [
    spec(filler, { ...one, restart: RESTARTS[at % RESTARTS.length] ?? null }),
    spec(filler, { ...other, restart: RESTARTS[(at + 2) % RESTARTS.length] ?? null }),
  ];
}

type Where = Pick<LoopSpec, 'format' | 'window' | 'reportsUsage' | 'restart'>;

function spec(filler: Filler, where: Where): LoopSpec {
  const reportsUsage = where.reportsUsage && filler.shape.mayReport;
  const name = [filler.name, where.format, `${where.window / 1_000}K`, reportsUsage ? 'usage' : 'no-usage'].join('/');
  return { ...where, name, filler: filler.name, reportsUsage, turns: filler.turns ?? TURNS };
}
