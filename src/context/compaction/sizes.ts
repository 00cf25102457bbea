import { type Calibration, calibrate, isPlausible, UNCALIBRATED } from '../../core/tokens/calibrate.ts';
import type { Measure } from '../../core/tokens/measure.ts';
import { readUsage } from '../../core/tokens/usage.ts';
import { UNKNOWN_WINDOW } from '../../core/tokens/window.ts';
import type { ContextState } from '../timeline/state.ts';
import type { Row, Timeline } from '../timeline/timeline.ts';
import type { ContextModels } from './models.ts';

/** How large the view is, in the tokens of the model in use. */
export interface Sizes {
  now(): number;
  /** Our own count of the view, before any correction. */
  estimate(): number;
  /** Tokens of all that was ever said and counts now. */
  said(): number;
  /** What a token of our counter is in tokens of the model, for this very view. */
  factor(): number;
  /** What a reading of the provider changes. */
  observed(usage: unknown): Partial<ContextState>;
}

export interface SizesInput {
  readonly timeline: Timeline;
  readonly measure: Measure;
  readonly state: { readonly now: ContextState };
  readonly models: ContextModels;
  /** Null when it is to be learned. */
  readonly fixedTokens: number | null;
}

/** Factors that `compact()` takes. */
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 8;

/** Sums are kept and grow with the view, so that asking costs the new messages alone. */
export function createSizes({ timeline, measure, state, models, fixedTokens }: SizesInput): Sizes {
  let sums = { epoch: -1, length: 0, view: 0, said: 0 };
  const update = (): typeof sums => {
    const { lineage, epoch } = timeline;
    const rowAt = (index: number): Row => timeline.rows[lineage[index] ?? -1] as Row;
    if (sums.epoch !== epoch) {
      let said = 0;
      for (let index = 0; index < lineage.length; index++) said += measure.message(rowAt(index).shown);
      sums = { epoch, length: lineage.length, view: measure.messages(timeline.view()), said };
    }
    for (let index = sums.length; index < lineage.length; index++) {
      const tokens = measure.message(rowAt(index).shown);
      sums = { epoch, length: index + 1, view: sums.view + tokens, said: sums.said + tokens };
    }
    return sums;
  };
  const calibration = (): Calibration => state.now.calibration[models.activeId()] ?? UNCALIBRATED;
  const now = (): number => {
    const { view } = update();
    const { anchor } = state.now;
    const { factor, overhead, samples } = calibration();
    const beside = fixedTokens ?? (samples === 0 ? 0 : overhead);
    // What the provider counted stands; only what came since is estimated.
    const size = anchor === null ? view * factor + beside : anchor.counted + (view - anchor.estimated) * factor;
    return Math.max(0, Math.ceil(size));
  };
  return {
    now,
    estimate: () => update().view,
    said: () => update().said,
    factor: () => Math.max(LEAST_FACTOR, Math.min(MOST_FACTOR, now() / Math.max(1, update().view))),
    observed(raw) {
      const usage = readUsage(raw);
      if (usage === null) return {};
      const { counters, calibration: known } = state.now;
      const estimated = state.now.sent ?? update().view;
      const counted = usage.inputTokens;
      const isTrue = isPlausible(estimated, counted, models.active()?.contextWindow ?? UNKNOWN_WINDOW);
      const learned = calibrate(calibration(), estimated, counted, fixedTokens);
      return {
        ...(isTrue ? { calibration: { ...known, [models.activeId()]: learned }, anchor: { counted, estimated } } : {}),
        counters: {
          ...counters,
          inputTokens: counters.inputTokens + counted,
          cachedInputTokens: counters.cachedInputTokens + usage.cachedInputTokens,
          cacheWriteTokens: counters.cacheWriteTokens + usage.cacheWriteTokens,
          outputTokens: counters.outputTokens + usage.outputTokens,
        },
      };
    },
  };
}
