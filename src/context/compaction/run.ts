import { type Compaction, compact } from '../../core/compact.ts';
import { type Message, toolResultsOf } from '../../core/conversation/message.ts';
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

/** A refused compaction is tried again after this share of the tokens that make a cut worth it. */
const RETRY_SHARE = 0.25;

/** When the messages that must stay exceed the target, the new target is their size times this, to leave room for a handoff. */
const ROOM_SHARE = 1.25;

/** Close to the window, the handoff gets at most this share of what is left of it: the rest is for messages to come. */
const LAST_ROOM_SHARE = 0.25;

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
    compaction = await compactWithRoom(parts, request, limits);
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

/**
 * Compacts as far as it can. Results that no model has read would be asked for again, so they may take more than the target as long as the
 * window has room.
 */
async function compactWithRoom(parts: ContextParts, request: CompactionRequest, limits: Limits): Promise<Compaction> {
  const made = await compactInSteps(parts, request, limits);
  if (request.target !== undefined || !losesUnread(parts, made)) return made;
  const { journal, measure, sizes } = parts;
  const unread = Math.ceil(measure.messages(unreadIn(journal.timeline.view())) * sizes.factor());
  const needed = Math.max(limits.foldTarget, made.receipt.tokens.after + limits.fixed) + unread;
  const target = Math.min(needed, roomyTarget(parts));
  const wider = await compactTo(parts, request, { target, lastResort: true });
  return wider.outcome === 'refused' || losesUnread(parts, wider) ? made : wider;
}

/**
 * Compacts to the target. What must stay may exceed it: then a larger target is tried that still leaves room to grow, then the newest messages
 * are trimmed to their least.
 */
async function compactInSteps(parts: ContextParts, request: CompactionRequest, limits: Limits): Promise<Compaction> {
  const most = parts.models.mostTarget();
  const first = await compactTo(parts, request, { lastResort: request.target !== undefined });
  const { smallestTarget } = first;
  if (!isTooSmall(first) || smallestTarget === null || request.target !== undefined) return first;
  const roomy = Math.max(limits.foldTarget, Math.ceil(smallestTarget * ROOM_SHARE));
  if (roomy <= Math.min(most, (limits.foldTarget + limits.threshold) / 2)) {
    const second = await compactTo(parts, request, { target: roomy, lastResort: false });
    if (!isTooSmall(second)) return second;
  }
  const least = await compactTo(parts, request, { lastResort: true });
  return isTooSmall(least) ? compactIntoWindow(parts, request, least.smallestTarget ?? most) : least;
}

/** True when a view has none of the results that came since the last answer. A turn that is retold has them as text. */
function losesUnread({ journal }: ContextParts, { conversation, receipt, outcome }: Compaction): boolean {
  if (outcome === 'refused' || outcome === 'unchanged') return false;
  if (receipt.edits.some(({ kind }) => kind === 'retell')) return false;
  const unread = callsOf(unreadIn(journal.timeline.view()));
  // Pinned results may be the last ones of a view without being the newest.
  return unread.size > 0 && ![...callsOf(unreadIn(conversation.messages))].some((call) => unread.has(call));
}

/** The newest results that no answer follows. */
function unreadIn(messages: readonly Message[]): readonly Message[] {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(answered + 1).filter((message) => toolResultsOf(message).length > 0);
}

function callsOf(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap(toolResultsOf).map(({ callId }) => callId));
}

/** Share of the window that a compaction must leave free, or the next request would need another one. */
const FREE_SHARE = 0.15;

/** Compacts to whatever fits the window and leaves some of it free. Pinned messages give way for that, oldest first. */
async function compactIntoWindow(
  parts: ContextParts,
  request: CompactionRequest,
  smallest: number,
): Promise<Compaction> {
  const most = parts.models.mostTarget();
  const roomy = roomyTarget(parts);
  const pins = [...pinnedMessages(parts)];
  let least = smallest;
  for (let given = 0; given <= pins.length; given++) {
    const pinned = new Set(pins.slice(given));
    if (given > 0) {
      const made = await compactTo(parts, request, { lastResort: true, pinned });
      if (!isTooSmall(made)) return withNote(made, gaveWay(given));
      least = made.smallestTarget ?? least;
    }
    const target = Math.min(roomy, Math.ceil(least * ROOM_SHARE));
    const made = await compactTo(parts, request, { target, lastResort: true, pinned });
    if (!isTooSmall(made)) return given === 0 ? made : withNote(made, gaveWay(given));
  }
  const tight = Math.ceil(least + Math.max(0, most - least) * LAST_ROOM_SHARE);
  const last = await compactTo(parts, request, { target: Math.min(most, tight), lastResort: true, pinned: NO_PINS });
  return isTooSmall(last) || pins.length === 0 ? last : withNote(last, gaveWay(pins.length));
}

function roomyTarget({ models }: ContextParts): number {
  const { window, fixed } = models.limits();
  return Math.max(1, Math.min(models.mostTarget(), Math.floor(window - (window - fixed) * FREE_SHARE)));
}

const NO_PINS: ReadonlySet<Message> = new Set();

function gaveWay(pins: number): string {
  const which = pins === 1 ? 'the oldest pinned message was' : `the ${pins} oldest pinned messages were`;
  return `${which} shortened, because pinned messages left too little of the window free`;
}

function isTooSmall({ refusal }: Compaction): boolean {
  return refusal === 'target-too-small';
}

function withNote(compaction: Compaction, note: string): Compaction {
  const { receipt } = compaction;
  return { ...compaction, receipt: { ...receipt, notes: [...receipt.notes, note] } };
}

interface Attempt {
  readonly target?: number;
  readonly lastResort: boolean;
  readonly pinned?: ReadonlySet<Message>;
}

function compactTo(parts: ContextParts, request: CompactionRequest, attempt: Attempt): Promise<Compaction> {
  const { options, sizes, wire, counter, counts, now } = parts;
  const target = attempt.target ?? request.target;
  const isForced = mustFit(parts);
  return compact(wire.current().conversation, wire.format(), {
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
  });
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

/** What frees nothing now may free something soon, when the newest messages are no longer the newest. */
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
