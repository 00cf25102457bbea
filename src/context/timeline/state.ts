import { type GuardState, NO_GUARD } from '../../core/plan/guard.ts';
import type { Calibration } from '../../core/tokens/calibrate.ts';
import { NO_PRESSURE, type PressureState } from '../../core/tokens/pressure.ts';
import type { ModelWindow } from '../../core/tokens/window.ts';
import type { HoldCause } from '../compaction/hold-cause.ts';
import { readBeliefs, type WindowBelief } from '../models/window-belief.ts';

/** The small facts of a context that change instead of growing. They are stored, so that a restart loses nothing. */
export interface ContextState {
  readonly version: 1;
  /** Id of the model in use; null for the first of the chain. */
  readonly model: string | null;
  /** Models that the host named later, or with another window. */
  readonly added: readonly ModelWindow[];
  /** What the context believes about windows since a provider refused a request as too long, by model. */
  readonly learned: Readonly<Record<string, WindowBelief>>;
  /** What the context learned about each model's token counts. */
  readonly calibration: Readonly<Record<string, Calibration>>;
  /** The provider's last count and our own estimate of the same request; null when the view has changed since. */
  readonly counted: { readonly tokens: number; readonly estimated: number } | null;
  /** Our own count of the request that was prepared last. */
  readonly sent: number | null;
  readonly guard: GuardState;
  /** Why a compaction that is due was held back last, so that the host hears of it once; null when none is. */
  readonly heldFor: HoldCause | null;
  readonly pressure: PressureState;
  /** Rows of pinned messages. */
  readonly pins: readonly number[];
  readonly counters: Counters;
  /** Overflows in a row. */
  readonly overflows: number;
}

/** Sums since the context began. */
export interface Counters {
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly refused: number;
  readonly failed: number;
  readonly undone: number;
  readonly recalls: number;
}

export const NO_STATE: ContextState = {
  version: 1,
  model: null,
  added: [],
  learned: {},
  calibration: {},
  counted: null,
  sent: null,
  guard: NO_GUARD,
  heldFor: null,
  pressure: NO_PRESSURE,
  pins: [],
  counters: {
    requests: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    refused: 0,
    failed: 0,
    undone: 0,
    recalls: 0,
  },
  overflows: 0,
};

/** Returns the counters with one more of a kind. */
export function countOne({ counters }: ContextState, kind: keyof Counters): Pick<ContextState, 'counters'> {
  return { counters: { ...counters, [kind]: counters[kind] + 1 } };
}

/** Reads a stored state. A damaged state, or one of a later version, is replaced by an empty one, because the history matters more. */
export function readState(text: string | null): ContextState {
  if (text === null) return NO_STATE;
  try {
    const stored = JSON.parse(text) as Partial<ContextState>;
    if (stored.version !== 1) return NO_STATE;
    const learned = readBeliefs(stored.learned);
    return { ...NO_STATE, ...stored, learned, counters: { ...NO_STATE.counters, ...stored.counters } };
  } catch {
    return NO_STATE;
  }
}
