import type { Message } from '../core/conversation/message.ts';
import { type Account, accountFor, adjustedTo } from '../core/tokens/account.ts';
import { type Calibration, learn } from '../core/tokens/calibrate.ts';
import { createMeasure, type Measure } from '../core/tokens/measure.ts';
import { readUsage, type Usage } from '../core/tokens/usage.ts';
import { UNKNOWN_WINDOW } from '../core/tokens/window.ts';
import type { FixedPart } from './fixed-part.ts';
import type { ContextModels } from './models/models.ts';
import type { Journal } from './timeline/journal.ts';
import type { ContextState, Counters } from './timeline/state.ts';
import type { Timeline } from './timeline/timeline.ts';
import type { Row } from './timeline/timeline-data.ts';

/** Sizes of the request and the history, in tokens of the model in use. */
export interface Sizes {
  /** The size that decides: the provider's count of the whole request, as far as it is known. */
  request(): number;
  /** The same size, line by line. */
  account(): Account;
  /** Our own count of the request, before any correction. */
  estimate(): number;
  /** Our own count of the whole history, each message in the form in which it first entered the view. */
  history(): number;
  /** Tokens that the model counts per token that we count, for the words of the current view. */
  factor(): number;
  /** Tokens of the request that are in no message. */
  fixed(): number;
  /** True when a provider has reported what it counts. Before that, sizes are estimates. */
  isMeasured(): boolean;
  /** Returns the state after a provider reported its usage. */
  afterUsage(usage: unknown): Partial<ContextState>;
  /** Returns the state after a provider refused the request as larger than a window that it named; null when it named none. */
  afterOverflow(named: number | null): Pick<ContextState, 'counted' | 'calibration'>;
}

export interface SizesInput {
  readonly journal: Pick<Journal, 'timeline' | 'state'>;
  readonly measure: Measure;
  readonly counts: WeakMap<Message, number>;
  readonly models: ContextModels;
  readonly fixedPart: FixedPart;
  /** Tokens of system prompt and tools, as the host states them; null when they have to be learned. */
  readonly fixedTokens: number | null;
}

/** The range of factors that `compact()` accepts. */
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 8;

/** Measures the view and the history. */
export function createSizes({ journal, measure, counts, models, fixedPart, fixedTokens }: SizesInput): Sizes {
  const { timeline } = journal;
  const sums = createSums(timeline, measure);
  const estimate = (): number => sums().view + fixedPart.estimate();
  const fixed = (): number => {
    const { tools, provider } = fixedPart.tokens();
    return tools + provider;
  };
  const request = (): number => {
    const { counted } = journal.state;
    const { factor } = fixedPart.calibration();
    // The provider's count is used as it is; only newer messages are estimated.
    const { view, media } = sums();
    const size =
      counted === null
        ? (view - media) * factor + media + fixed()
        : counted.tokens + (estimate() - counted.estimated) * factor;
    return Math.max(0, Math.ceil(size));
  };
  const factor = (): number => {
    // A measure with this factor leaves media as they are, so the words have to make up the whole difference.
    const { view, media } = sums();
    const words = Math.max(1, view - media);
    return Math.max(LEAST_FACTOR, Math.min(MOST_FACTOR, (request() - fixed() - media) / words));
  };
  return {
    request,
    estimate,
    fixed,
    factor,
    history: () => sums().history,
    isMeasured: () => fixedPart.calibration().samples > 0,
    account() {
      const { output } = models.limits();
      const scaled = createMeasure(measure.counter, factor(), { counts });
      const account = accountFor({ messages: timeline.view(), measure: scaled, fixed: fixedPart.tokens(), output });
      // Lines are rounded one by one, and media are counted by formula: the lines must still sum to the size that decides.
      return adjustedTo(account, request());
    },
    afterOverflow: (named) =>
      afterOverflow(
        { journal, models, known: fixedPart.calibration() },
        { named, size: request(), estimated: estimate() },
      ),
    afterUsage: (raw) => {
      const usage = readUsage(raw);
      if (usage === null) return {};
      const { state } = journal;
      const reading = { estimated: state.sent ?? estimate(), counted: usage.inputTokens };
      const window = models.active()?.contextWindow ?? UNKNOWN_WINDOW;
      const { calibration, count } = learn(fixedPart.calibration(), reading, { fixed: fixedTokens, window });
      return {
        calibration: { ...state.calibration, [models.activeId()]: withinWindow(calibration, models.limits().window) },
        ...(count === 'taken' ? { counted: { tokens: reading.counted, estimated: reading.estimated } } : {}),
        ...(count === 'sum' ? { counted: null } : {}),
        counters: withUsage(state.counters, usage),
      };
    },
  };
}

/** Sums of our own counts, without a factor. */
interface Sums {
  readonly view: number;
  /** Tokens of the view that are images and files. */
  readonly media: number;
  readonly history: number;
}

/** Sums up the view and the history. The sums grow with the view, so each call counts only the new messages. */
function createSums(timeline: Timeline, measure: Measure): () => Sums {
  let sums = { epoch: -1, length: 0, view: 0, media: 0, history: 0 };
  return () => {
    const { lineage, epoch } = timeline;
    const shownAt = (index: number): Message => (timeline.rows[lineage[index] ?? -1] as Row).shown;
    if (sums.epoch !== epoch) {
      let history = 0;
      for (let index = 0; index < lineage.length; index++) history += measure.message(shownAt(index));
      const view = timeline.view();
      const media = view.reduce((sum, message) => sum + measure.media(message), 0);
      sums = { epoch, length: lineage.length, view: measure.messages(view), media, history };
    }
    for (let index = sums.length; index < lineage.length; index++) {
      const shown = shownAt(index);
      const tokens = measure.message(shown);
      sums = {
        epoch,
        length: index + 1,
        view: sums.view + tokens,
        media: sums.media + measure.media(shown),
        history: sums.history + tokens,
      };
    }
    return sums;
  };
}

/** A provider that seems to add more than this share of the window counts words differently. */
const MOST_OVERHEAD = 0.8;

/** An overhead as large as the window would refuse every view, and no later reading could correct it. */
function withinWindow(learned: Calibration, window: number): Calibration {
  return { ...learned, overhead: Math.min(learned.overhead, Math.floor(window * MOST_OVERHEAD)) };
}

interface Refused {
  readonly named: number | null;
  readonly size: number;
  readonly estimated: number;
}

/** Counts of one text differ at most this much; a provider that seems to count more refused the request for another reason. */
const MOST_UNDERCOUNTED = 2;

/** The provider counted more than its window, whatever we estimated: each of our tokens is at least this many of its own. */
function afterOverflow(
  { journal, models, known }: Pick<SizesInput, 'journal' | 'models'> & { readonly known: Calibration },
  { named, size, estimated }: Refused,
): Pick<ContextState, 'counted' | 'calibration'> {
  const tokens = Math.max(size, (named ?? 0) + 1);
  const ratio = tokens / Math.max(1, size);
  const factor = ratio > MOST_UNDERCOUNTED ? known.factor : Math.min(MOST_FACTOR, known.factor * ratio);
  const calibration = { ...journal.state.calibration, [models.activeId()]: { ...known, factor } };
  return { counted: { tokens, estimated }, calibration };
}

function withUsage(counters: Counters, usage: Usage): Counters {
  return {
    ...counters,
    inputTokens: counters.inputTokens + usage.inputTokens,
    cachedInputTokens: counters.cachedInputTokens + usage.cachedInputTokens,
    cacheWriteTokens: counters.cacheWriteTokens + usage.cacheWriteTokens,
    outputTokens: counters.outputTokens + usage.outputTokens,
  };
}
