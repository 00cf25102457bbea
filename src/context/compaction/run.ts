import { type Compaction, compact } from '../../core/compact.ts';
import { PrecisError } from '../../core/errors.ts';
import type { CompactOptions } from '../../core/options.ts';
import { afterRefusal } from '../../core/plan/guard.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';
import type { Limits, LimitsInput } from '../../core/tokens/window.ts';
import type { ContextParts } from '../context-parts.ts';
import type { ContextOptions } from '../options.ts';
import { countOne } from '../timeline/state.ts';
import { acceptCompaction } from './accept.ts';
import type { CompactionRequest } from './compact-options.ts';
import { type CompactionResult, unchanged } from './compaction-result.ts';
import { mustFit, pinnedMessages } from './due.ts';
import { type Attempt, settleTarget } from './settle-target.ts';

/** A refused compaction is tried again after this share of the tokens that make a cut worth it. */
const RETRY_SHARE = 0.25;

/** Compacts the view as it is now. Messages that are appended meanwhile follow the new view. */
export async function runCompaction(parts: ContextParts, request: CompactionRequest): Promise<CompactionResult> {
  const { journal, models, sizes, emitter } = parts;
  const { timeline } = journal;
  const limits = models.limits();
  const { epoch, current: before } = timeline;
  const covers = timeline.lineage.length;
  const account = sizes.account();
  emitter.emit('compaction:start', { tokens: account.total, target: request.target ?? limits.foldTarget, account });
  let compaction: Compaction;
  try {
    compaction = await compactOnce(parts, request);
  } catch (error) {
    return noteFailure(parts, error);
  }
  const { receipt, outcome } = compaction;
  if (outcome === 'refused') await noteRefusal(parts, receipt, limits);
  // What must stay leaves nothing to cut, and the same attempt would end so again.
  if (outcome === 'unchanged' && !request.force) await hold(parts, receipt.reason, limits);
  if (outcome === 'unchanged' || outcome === 'refused') return { outcome, receipt, reason: receipt.reason };
  // A late result never replaces a newer view.
  if (timeline.epoch !== epoch) {
    const reason = 'the view changed while it was being compacted';
    emitter.emit('compaction:refused', { reason, receipt: { ...receipt, reason } });
    return unchanged(reason);
  }
  const accepted = await acceptCompaction(parts, { compaction, covers, before });
  return { outcome, receipt: accepted, reason: receipt.reason };
}

/** Settles the target by code alone, then lets a model write once, if there is one. */
async function compactOnce(parts: ContextParts, request: CompactionRequest): Promise<Compaction> {
  const { options, wire } = parts;
  // Messages that come while this runs belong to no attempt.
  const { conversation } = wire.current();
  const { attempt, made, note } = await settleTarget(parts, request, (each) => {
    const { summarizer: _summarizer, aligned: _aligned, ...byCode } = optionsFor(parts, request, each);
    return compact(conversation, wire.format(), byCode);
  });
  const asksModel = options.summarizer !== undefined || options.aligned !== undefined;
  const isDone = !asksModel || made.outcome === 'refused' || made.outcome === 'unchanged';
  const final = isDone ? made : await compact(conversation, wire.format(), optionsFor(parts, request, attempt));
  return note === null ? final : withNote(final, note);
}

function withNote(compaction: Compaction, note: string): Compaction {
  const { receipt } = compaction;
  return { ...compaction, receipt: { ...receipt, notes: [...receipt.notes, note] } };
}

function optionsFor(parts: ContextParts, request: CompactionRequest, attempt: Attempt): CompactOptions {
  const { options, sizes, counter, counts, now } = parts;
  const target = attempt.target ?? request.target;
  const isForced = mustFit(parts);
  return {
    ...engineOptions(options, request),
    ...limitsFor(parts, attempt),
    ...(target === undefined ? {} : { target }),
    ...(isForced ? { openReasoning: 'strip' as const } : {}),
    counter,
    counts,
    tokenFactor: sizes.factor(),
    pinned: attempt.pinned ?? pinnedMessages(parts),
    lastResort: attempt.lastResort,
    // A factor on words cannot always make up for what a provider counts: a request that exceeds the window is compacted in any case.
    force: request.force || target !== undefined || isForced,
    now,
  };
}

/** A target above the threshold is tried only when what must stay is above it. Then the window alone counts. */
function limitsFor({ models }: ContextParts, { target }: Attempt): LimitsInput {
  const input = models.limitsInput();
  if (target === undefined || target < models.limits().threshold) return input;
  const { thresholdRatio: _ratio, thresholdCap: _cap, ...rest } = input;
  return rest;
}

async function noteFailure({ journal, emitter }: ContextParts, error: unknown): Promise<CompactionResult> {
  await journal.changeState(countOne(journal.state, 'failed'));
  emitter.emit('compaction:failed', { error });
  if (PrecisError.is(error) && error.code === 'aborted') throw error;
  const reason = error instanceof Error ? error.message : 'the compaction broke';
  return { outcome: 'refused', receipt: null, reason };
}

async function noteRefusal(parts: ContextParts, receipt: Receipt, limits: Limits): Promise<void> {
  const { journal, emitter } = parts;
  await hold(parts, receipt.reason, limits);
  // The host hears of the refusal itself, so not once more while that holds the next attempt back.
  await journal.changeState({ heldFor: 'guard', ...countOne(journal.state, 'refused') });
  emitter.emit('compaction:refused', { reason: receipt.reason, receipt });
}

/** Holds the next attempt back for a while: it can free more once newer messages have followed. */
async function hold({ journal, sizes }: ContextParts, reason: string, { rearm }: Limits): Promise<void> {
  await journal.changeState({ guard: afterRefusal(reason, sizes.history(), Math.ceil(rearm * RETRY_SHARE)) });
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
