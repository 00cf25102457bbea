import { type Compaction, compact } from '../../core/compact.ts';
import { PrecisError } from '../../core/errors.ts';
import type { CompactOptions } from '../../core/options.ts';
import { afterCompaction } from '../../core/plan/guard.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';
import type { Limits } from '../../core/tokens/window.ts';
import type { ContextParts } from '../context-parts.ts';
import type { ContextOptions } from '../options.ts';
import { countOne } from '../timeline/state.ts';
import { acceptCompaction } from './accept.ts';
import type { CompactionRequest } from './compact-options.ts';
import { type CompactionResult, unchanged } from './compaction-result.ts';

/** When the messages that must stay exceed the target, the new target is their size times this, to leave room for a handoff. */
const ROOM_SHARE = 1.25;

/** Compacts the view as it is now. Messages that are appended meanwhile follow the new view. */
export async function runCompaction(parts: ContextParts, request: CompactionRequest): Promise<CompactionResult> {
  const { journal, models, sizes, emitter } = parts;
  const { timeline } = journal;
  const limits = models.limits();
  const { epoch, current: before } = timeline;
  const covers = timeline.lineage.length;
  emitter.emit('compaction:start', { tokens: sizes.view(), target: request.target ?? limits.foldTarget });
  let compaction: Compaction;
  try {
    compaction = await compactWithRoom(parts, request, limits);
  } catch (error) {
    return noteFailure(parts, error);
  }
  const { receipt, outcome } = compaction;
  if (outcome === 'refused') await noteRefusal(parts, receipt, limits);
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

/** Compacts to the target. When the messages that must stay exceed it, compacts to a larger target that still fits the window. */
async function compactWithRoom(parts: ContextParts, request: CompactionRequest, limits: Limits): Promise<Compaction> {
  const first = await compactTo(parts, request, request.target);
  const { refusal, smallestTarget } = first;
  if (refusal !== 'target-too-small' || smallestTarget === null || request.target !== undefined) return first;
  const most = parts.models.mostTarget();
  if (smallestTarget > most) return first;
  const target = Math.min(most, Math.max(limits.foldTarget, Math.ceil(smallestTarget * ROOM_SHARE)));
  const second = await compactTo(parts, request, target);
  return second.refusal === 'target-too-small' ? first : second;
}

function compactTo(parts: ContextParts, request: CompactionRequest, target: number | undefined): Promise<Compaction> {
  const { options, journal, models, sizes, wire, counter, counts, now } = parts;
  const { rows } = journal.timeline;
  return compact(wire.current().conversation, wire.format(), {
    ...engineOptions(options, request),
    ...models.limitsInput(),
    ...(target === undefined ? {} : { target }),
    counter,
    counts,
    tokenFactor: sizes.factor(),
    pinned: new Set(journal.state.pins.flatMap((row) => rows[row]?.message ?? [])),
    force: request.force,
    now,
  });
}

async function noteFailure({ journal, emitter }: ContextParts, error: unknown): Promise<CompactionResult> {
  await journal.changeState(countOne(journal.state, 'failed'));
  emitter.emit('compaction:failed', { error });
  if (PrecisError.is(error) && error.code === 'aborted') throw error;
  const reason = error instanceof Error ? error.message : 'the compaction broke';
  return { outcome: 'refused', receipt: null, reason };
}

async function noteRefusal({ journal, sizes, emitter }: ContextParts, receipt: Receipt, limits: Limits): Promise<void> {
  const { before: size } = receipt.tokens;
  const tokens = { before: size, after: size, said: sizes.history(), rearm: limits.rearm };
  await journal.changeState({
    guard: afterCompaction(journal.state.guard, tokens),
    ...countOne(journal.state, 'refused'),
  });
  emitter.emit('compaction:refused', { reason: receipt.reason, receipt });
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
