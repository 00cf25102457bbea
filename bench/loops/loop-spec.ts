import { fillers } from './fillers/all.ts';
import type { Filler } from './fillers/filler.ts';
import type { FormatId } from './said.ts';

/** One loop: what fills the window, how it is spoken, and against which server. */
export interface LoopSpec {
  /** Filler, format, window, and `usage` or `no usage`, joined by `/`. */
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

export const TURNS = 60;
const WINDOWS: readonly number[] = [8_000, 16_000, 32_000];
const LARGE = 200_000;

/** Every filler in every format it can exist in: in two small windows, one with usage and one without; and each filler once in a large window. */
export function allSpecs(): readonly LoopSpec[] {
  return fillers.flatMap((filler, at) => {
    const small = filler.formats.flatMap((format, index) => smallLoops(filler, format, at + index));
    const format = filler.formats[at % filler.formats.length] ?? 'openai-chat';
    return [...small, spec(filler, { format, window: LARGE, reportsUsage: at % 2 === 0, restart: null })];
  });
}

function smallLoops(filler: Filler, format: FormatId, at: number): readonly LoopSpec[] {
  const windows = WINDOWS.filter((window) => window >= filler.shape.leastWindow);
  const first = windows[at % windows.length] ?? LARGE;
  const second = windows[(at + 1) % windows.length] ?? LARGE;
  return [
    spec(filler, { format, window: first, reportsUsage: true, restart: RESTARTS[at % RESTARTS.length] ?? null }),
    spec(filler, {
      format,
      window: second,
      reportsUsage: false,
      restart: RESTARTS[(at + 2) % RESTARTS.length] ?? null,
    }),
  ];
}

const RESTARTS: readonly LoopSpec['restart'][] = ['memory', null, 'sqlite', null, null];

type Where = Pick<LoopSpec, 'format' | 'window' | 'reportsUsage' | 'restart'>;

function spec(filler: Filler, where: Where): LoopSpec {
  const reportsUsage = where.reportsUsage && filler.shape.mayReport;
  const name = [filler.name, where.format, `${where.window / 1_000}K`, reportsUsage ? 'usage' : 'no-usage'].join('/');
  return { ...where, name, filler: filler.name, reportsUsage, turns: TURNS };
}
