import type { Compaction } from '../../core/compact.ts';
import { type Message, toolResultsOf } from '../../core/conversation/message.ts';
import type { ContextParts } from '../context-parts.ts';
import type { CompactionRequest } from './compact-options.ts';
import { pinnedMessages } from './due.ts';

/** One way to compact. */
export interface Attempt {
  /** Tokens that the request must not exceed. @default the target of the request, else the target of the policy */
  readonly target?: number;
  /** May trim the newest messages to their least. */
  readonly lastResort: boolean;
  /** Messages that stay whole. @default all that the host pinned */
  readonly pinned?: ReadonlySet<Message>;
}

/** The attempt that was settled on, and the compaction that code alone makes of it. */
export interface Settled {
  readonly attempt: Attempt;
  readonly made: Compaction;
  /** For the receipt; null when there is nothing to say. */
  readonly note: string | null;
}

type Make = (attempt: Attempt) => Promise<Compaction>;

/** When the messages that must stay exceed the target, the new target is their size times this, to leave room for a handoff. */
const ROOM_SHARE = 1.25;
/** Share of the window that a compaction must leave free, or the next request would need another one. */
const FREE_SHARE = 0.15;
/** Close to the window, the handoff gets at most this share of what is left of it: the rest is for messages to come. */
const LAST_ROOM_SHARE = 0.25;

/**
 * Finds the attempt that cuts least and still leaves room to grow. A target that the host asked for stands as it is. Results that no model has
 * read would be asked for again, so they may take more than the target as long as the window has room.
 */
export async function settleTarget(parts: ContextParts, { target }: CompactionRequest, make: Make): Promise<Settled> {
  if (target !== undefined) return tried({ lastResort: true }, make);
  const settled = await withRoom(parts, make);
  if (!losesUnread(parts, settled.made)) return settled;
  const { journal, measure, models, sizes } = parts;
  const unread = Math.ceil(measure.messages(unreadIn(journal.timeline.view())) * sizes.factor());
  const needed = Math.max(models.limits().foldTarget, settled.made.receipt.tokens.after) + unread;
  const wider = await tried(
    { ...settled.attempt, target: Math.min(needed, roomyTarget(parts)), lastResort: true },
    make,
  );
  return wider.made.outcome === 'refused' || losesUnread(parts, wider.made)
    ? settled
    : { ...wider, note: settled.note };
}

async function tried(attempt: Attempt, make: Make, note: string | null = null): Promise<Settled> {
  return { attempt, made: await make(attempt), note };
}

/** If the messages that must stay exceed the target, tries a larger one, then trims the newest messages to their least. */
async function withRoom(parts: ContextParts, make: Make): Promise<Settled> {
  const { models } = parts;
  const { foldTarget, threshold } = models.limits();
  const first = await tried({ lastResort: false }, make);
  const { smallestTarget } = first.made;
  if (!isTooSmall(first) || smallestTarget === null) return first;
  const roomy = Math.max(foldTarget, Math.ceil(smallestTarget * ROOM_SHARE));
  if (roomy <= Math.min(models.mostTarget(), (foldTarget + threshold) / 2)) {
    const second = await tried({ target: roomy, lastResort: false }, make);
    if (!isTooSmall(second)) return second;
  }
  const least = await tried({ lastResort: true }, make);
  return isTooSmall(least) ? intoWindow(parts, make, least.made.smallestTarget ?? models.mostTarget()) : least;
}

/** Compacts to whatever fits the window and leaves some of it free. Pinned messages give way for that, oldest first. */
async function intoWindow(parts: ContextParts, make: Make, smallest: number): Promise<Settled> {
  const most = parts.models.mostTarget();
  const pins = [...pinnedMessages(parts)];
  let least = smallest;
  for (let given = 0; given <= pins.length; given++) {
    const pinned = new Set(pins.slice(given));
    const note = given === 0 ? null : gaveWay(given);
    if (given > 0) {
      const lowest = await tried({ lastResort: true, pinned }, make, note);
      if (!isTooSmall(lowest)) return lowest;
      least = lowest.made.smallestTarget ?? least;
    }
    const target = Math.min(roomyTarget(parts), Math.ceil(least * ROOM_SHARE));
    const roomy = await tried({ target, lastResort: true, pinned }, make, note);
    if (!isTooSmall(roomy)) return roomy;
  }
  const tight = Math.ceil(least + Math.max(0, most - least) * LAST_ROOM_SHARE);
  const last = await tried({ target: Math.min(most, tight), lastResort: true, pinned: new Set() }, make);
  return isTooSmall(last) || pins.length === 0 ? last : { ...last, note: gaveWay(pins.length) };
}

/** The largest target that leaves some of the window free. */
function roomyTarget({ models }: ContextParts): number {
  const { window, fixed } = models.limits();
  return Math.max(1, Math.min(models.mostTarget(), Math.floor(window - (window - fixed) * FREE_SHARE)));
}

function isTooSmall({ made }: Settled): boolean {
  return made.refusal === 'target-too-small';
}

function gaveWay(pins: number): string {
  const which = pins === 1 ? 'the oldest pinned message was' : `the ${pins} oldest pinned messages were`;
  return `${which} shortened, because pinned messages left too little of the window free`;
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
