import { type Calibration, calibrate, isPlausible, UNCALIBRATED } from '../core/tokens/calibrate.ts';
import type { Measure } from '../core/tokens/measure.ts';
import { readUsage } from '../core/tokens/usage.ts';
import { UNKNOWN_WINDOW } from '../core/tokens/window.ts';
import type { ContextModels } from './models/models.ts';
import type { Journal } from './timeline/journal.ts';
import type { ContextState } from './timeline/state.ts';
import type { Row } from './timeline/timeline-data.ts';

/** Sizes of the view and the history, in tokens of the model in use. */
export interface Sizes {
  /** The size that decides: the provider's count, as far as it is known. */
  view(): number;
  /** Our own count of the view, before any correction. */
  estimate(): number;
  /** Our own count of the whole history, each message in the form in which it first entered the view. */
  history(): number;
  /** Tokens that the model counts per token that we count, for the current view. */
  factor(): number;
  /** Returns the state after a provider reported its usage. */
  afterUsage(usage: unknown): Partial<ContextState>;
}

export interface SizesInput {
  readonly journal: Pick<Journal, 'timeline' | 'state'>;
  readonly measure: Measure;
  readonly models: ContextModels;
  /** Tokens of system prompt and tools; null when they have to be learned. */
  readonly fixedTokens: number | null;
}

/** The range of factors that `compact()` accepts. */
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 8;

/** Measures the view and the history. The sums grow with the view, so each call counts only the new messages. */
export function createSizes({ journal, measure, models, fixedTokens }: SizesInput): Sizes {
  const { timeline } = journal;
  let sums = { epoch: -1, length: 0, view: 0, history: 0 };
  const update = (): typeof sums => {
    const { lineage, epoch } = timeline;
    const tokensAt = (index: number): number => measure.message((timeline.rows[lineage[index] ?? -1] as Row).shown);
    if (sums.epoch !== epoch) {
      let history = 0;
      for (let index = 0; index < lineage.length; index++) history += tokensAt(index);
      sums = { epoch, length: lineage.length, view: measure.messages(timeline.view()), history };
    }
    for (let index = sums.length; index < lineage.length; index++) {
      const tokens = tokensAt(index);
      sums = { epoch, length: index + 1, view: sums.view + tokens, history: sums.history + tokens };
    }
    return sums;
  };
  const calibration = (): Calibration => journal.state.calibration[models.activeId()] ?? UNCALIBRATED;
  const view = (): number => {
    const estimate = update().view;
    const { anchor } = journal.state;
    const { factor, overhead, samples } = calibration();
    const fixed = fixedTokens ?? (samples === 0 ? 0 : overhead);
    // The provider's count is used as it is; only newer messages are estimated.
    const size = anchor === null ? estimate * factor + fixed : anchor.counted + (estimate - anchor.estimated) * factor;
    return Math.max(0, Math.ceil(size));
  };
  return {
    view,
    estimate: () => update().view,
    history: () => update().history,
    factor: () => Math.max(LEAST_FACTOR, Math.min(MOST_FACTOR, view() / Math.max(1, update().view))),
    afterUsage(raw) {
      const usage = readUsage(raw);
      if (usage === null) return {};
      const { counters, sent, calibration: earlier } = journal.state;
      const estimated = sent ?? update().view;
      const counted = usage.inputTokens;
      const isTrue = isPlausible(estimated, counted, models.active()?.contextWindow ?? UNKNOWN_WINDOW);
      const learned = calibrate(calibration(), { estimated, counted }, fixedTokens);
      return {
        ...(isTrue
          ? { calibration: { ...earlier, [models.activeId()]: learned }, anchor: { counted, estimated } }
          : {}),
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
