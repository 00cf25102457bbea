import { type Compaction, compact } from '../../core/compact.ts';
import type { Message } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import type { CompactOptions } from '../../core/options.ts';
import { afterCompaction } from '../../core/plan/guard.ts';
import type { Outcome, Receipt } from '../../core/receipt/receipt.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { Limits } from '../../core/tokens/window.ts';
import type { Emitter } from '../events.ts';
import type { Speech } from '../intake/speech.ts';
import type { ContextOptions } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import type { ViewEvent } from '../timeline/timeline.ts';
import type { ContextModels } from './models.ts';
import type { Sizes } from './sizes.ts';

export interface CompactionRequest {
  /** Size that the view must not exceed. @default that of the policy */
  readonly target?: number;
  /** A topic that the summary gives most of its space to. @default that of the context */
  readonly focus?: string;
  readonly signal?: AbortSignal;
  /** Called with the characters a model has written so far. */
  readonly onText?: (characters: number) => void;
  /** Compact although the view is below the threshold. */
  readonly force: boolean;
}

/** How a compaction came out. */
export interface Done {
  readonly outcome: Outcome;
  readonly receipt: Receipt | null;
  readonly reason: string;
}

export function untouched(reason: string): Done {
  return { outcome: 'unchanged', receipt: null, reason };
}

export interface Compactor {
  /** Carries out one compaction on the view as it is now. Appends may come meanwhile; they stay behind what it made. */
  run(request: CompactionRequest): Promise<Done>;
  /** Makes a compaction of somebody else's the view. */
  accept(made: Compaction, covers: number, before: ViewEvent | null): Promise<Receipt>;
}

export interface CompactorInput {
  readonly options: ContextOptions;
  readonly journal: Journal;
  readonly speech: Speech;
  readonly models: ContextModels;
  readonly sizes: Sizes;
  readonly emitter: Emitter;
  readonly counter: TokenCounter;
  readonly counts: WeakMap<Message, number>;
  readonly now: () => number;
}

/** Room for a handoff beside what must stay, when that alone is larger than the target. */
const ROOM_SHARE = 1.25;

export function createCompactor(input: CompactorInput): Compactor {
  const { options, journal, speech, models, sizes, emitter, counter, counts, now } = input;
  const { timeline, state, change } = journal;

  const accept: Compactor['accept'] = async ({ conversation, receipt }, covers, before) => {
    const id = timeline.nextViewId();
    const kept: Receipt = { ...receipt, checkpoint: id };
    journal.record({
      type: 'view',
      id,
      rows: timeline.rows.length,
      covers,
      items: journal.itemsOf(conversation.messages),
      before: before?.id ?? null,
      receipt: kept,
      turn: state.now.counters.requests,
      at: now(),
    });
    const { rearm: runway } = models.limits();
    await change({
      guard: afterCompaction(state.now.guard, { ...receipt.tokens, said: sizes.said(), runway }),
      anchor: null,
    });
    emitter.emit('compaction:end', { id, receipt: kept });
    return kept;
  };

  const attempt = (request: CompactionRequest, target: number | undefined): Promise<Compaction> =>
    compact(speech.current().value, speech.format(), {
      ...engineOptions(options, request),
      ...models.limitsInput(),
      ...(target === undefined ? {} : { target }),
      counter,
      counts,
      tokenFactor: sizes.factor(),
      pinned: new Set(state.now.pins.flatMap((row) => timeline.rows[row]?.message ?? [])),
      force: request.force,
      now,
    });

  /** What must stay may be more than the target asks for. As long as it fits the window, less room is better than none. */
  const attemptWithRoom = async (request: CompactionRequest, limits: Limits): Promise<Compaction> => {
    const made = await attempt(request, request.target);
    const { smallestTarget } = made;
    if (made.refusal !== 'target-too-small' || smallestTarget === null || request.target !== undefined) return made;
    const most = models.mostTarget();
    if (smallestTarget > most) return made;
    const target = Math.min(most, Math.max(limits.foldTarget, Math.ceil(smallestTarget * ROOM_SHARE)));
    const again = await attempt(request, target);
    return again.refusal === 'target-too-small' ? made : again;
  };

  const run = async (request: CompactionRequest): Promise<Done> => {
    const limits = models.limits();
    const { epoch, current: before } = timeline;
    const covers = timeline.lineage.length;
    emitter.emit('compaction:start', { tokens: sizes.now(), target: request.target ?? limits.foldTarget });
    let made: Compaction;
    try {
      made = await attemptWithRoom(request, limits);
    } catch (error) {
      await change({ counters: { ...state.now.counters, failed: state.now.counters.failed + 1 } });
      emitter.emit('compaction:failed', { error });
      if (PrecisError.is(error) && error.code === 'aborted') throw error;
      const reason = error instanceof Error ? error.message : 'the compaction broke';
      return { outcome: 'refused', receipt: null, reason };
    }
    const { receipt, outcome } = made;
    if (outcome === 'refused') {
      const { before: size } = receipt.tokens;
      const tokens = { before: size, after: size, said: sizes.said(), runway: limits.rearm };
      await change({
        guard: afterCompaction(state.now.guard, tokens),
        counters: { ...state.now.counters, refused: state.now.counters.refused + 1 },
      });
      emitter.emit('compaction:refused', { reason: receipt.reason, receipt });
    }
    if (outcome === 'unchanged' || outcome === 'refused') return { outcome, receipt, reason: receipt.reason };
    // A late result never takes the place of a newer view.
    if (timeline.epoch !== epoch) {
      const reason = 'the view changed while it was being compacted';
      emitter.emit('compaction:refused', { reason, receipt: { ...receipt, reason } });
      return untouched(reason);
    }
    return { outcome, receipt: await accept(made, covers, before), reason: receipt.reason };
  };
  return { run, accept };
}

function engineOptions(options: ContextOptions, request: CompactionRequest): CompactOptions {
  const { summarizer, aligned, template, openReasoning } = options;
  const focus = request.focus ?? options.focus;
  return {
    ...(summarizer === undefined ? {} : { summarizer }),
    ...(aligned === undefined ? {} : { aligned }),
    ...(template === undefined ? {} : { template }),
    ...(openReasoning === undefined ? {} : { openReasoning }),
    ...(focus === undefined ? {} : { focus }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    ...(request.onText === undefined ? {} : { onText: request.onText }),
  };
}
