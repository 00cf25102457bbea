import { type Message, textOf } from '../conversation/message.ts';
import { type Step, splitSteps } from '../conversation/steps.ts';
import { lastUserIndex, taskIndex } from '../conversation/turns.ts';
import { isHandoff } from '../record/handoff/handoff-message.ts';
import type { Measure } from '../tokens/measure.ts';

/**
 * Where a step stands. `head`: system and task. `pinned`: must stay as it is wherever it stands. `tail`: the newest steps.
 * `newest`: the last step when it is too large for the tail; it is trimmed rather than folded, so that the agent sees where it is.
 * `middle`: may be condensed or folded. `handoff`: an earlier handoff, whose record goes into the next one.
 */
export type Zone = 'head' | 'pinned' | 'middle' | 'handoff' | 'newest' | 'tail';

export interface ZonedStep extends Step {
  readonly zone: Zone;
  /** Tokens of the step as it is. */
  readonly tokens: number;
}

export interface ZoneLimits {
  /** Size the view must not exceed. */
  readonly target: number;
  /** Budget of the verbatim tail. */
  readonly tailTokens: number;
  /** Messages that must stay as they are. */
  readonly pinned?: ReadonlySet<Message>;
}

/** The words around a handoff, its section titles, and the least it is worth writing for. */
export const FRAME_TOKENS = 260;
export const SMALLEST_HANDOFF_TOKENS = 400;
const HANDOFF_ROOM_TOKENS = FRAME_TOKENS + SMALLEST_HANDOFF_TOKENS;

/**
 * What should stay if there is room for it, with its own share of the target and the share that all protected steps together may reach. What
 * must stay (system, the last user message, calls in flight, parts we cannot read) has no share: it stays or the plan is refused.
 */
const TASK = { own: 0.3, together: 0.6 };
const LAST_WORDS = { own: 0.15, together: 0.7 };
const TAIL_TOGETHER = 0.8;

/** Cuts a history into steps and says which of them stay. */
export function zoneSteps(messages: readonly Message[], measure: Measure, limits: ZoneLimits): readonly ZonedStep[] {
  const steps = splitSteps(messages);
  const stepOf = stepFinder(steps);
  const tokens = steps.map((step) => measure.messages(messages.slice(step.from, step.to)));
  // An earlier handoff has the role of the user, but nobody said it.
  const said = messages.map((message) => (isHandoff(message) ? NOBODY : message));
  const task = stepOf(taskIndex(said));
  const lastUser = stepOf(lastUserIndex(said));
  const firstSaid = messages.findIndex((message) => message.role !== 'system');
  const zones = steps.map((step, index) =>
    requiredZone({
      step,
      messages,
      leads: index <= task || step.from < firstSaid,
      lastUser: index === lastUser,
      pinned: limits.pinned ?? NONE,
    }),
  );
  let together = 0;
  for (const [index, zone] of zones.entries()) if (zone === 'head' || zone === 'pinned') together += tokens[index] ?? 0;
  // Nothing that may go is protected at the cost of a handoff that says anything.
  const room = Math.max(0, limits.target - HANDOFF_ROOM_TOKENS);
  const protect = (index: number, zone: Zone, { own, together: share }: Shares): boolean => {
    const size = tokens[index] ?? 0;
    if (zones[index] !== 'middle') return zones[index] !== 'handoff';
    if (size > own || together + size > room * share) return false;
    // What stays before the task stays before it, also where a conversation was cut and the assistant speaks first.
    zones[index] = index < task ? 'head' : zone;
    together += size;
    return true;
  };
  protect(task, 'head', { ...TASK, own: limits.target * TASK.own });
  const lastWords = stepOf(
    messages.findLastIndex((message) => message.role === 'assistant' && textOf(message).trim() !== ''),
  );
  protect(lastWords, 'pinned', { ...LAST_WORDS, own: limits.target * LAST_WORDS.own });
  let left = limits.tailTokens;
  for (let index = steps.length - 1; index >= 0; index--) {
    if (!protect(index, 'tail', { own: left, together: TAIL_TOGETHER })) break;
    left -= tokens[index] ?? 0;
  }
  const last = steps.length - 1;
  if (zones[last] === 'middle' && (steps[last]?.to ?? 0) - (steps[last]?.from ?? 0) > 1) zones[last] = 'newest';
  return steps.map((step, index) => ({ ...step, zone: zones[index] ?? 'middle', tokens: tokens[index] ?? 0 }));
}

/** The most tokens a step itself may take, and the share of the room that all protected steps may take together. */
interface Shares {
  readonly own: number;
  readonly together: number;
}

const NONE: ReadonlySet<Message> = new Set();
const NOBODY: Message = { role: 'tool', parts: [] };

function stepFinder(steps: readonly Step[]): (message: number) => number {
  return (message) => steps.findIndex((step) => message >= step.from && message < step.to);
}

interface Placed {
  readonly step: Step;
  readonly messages: readonly Message[];
  /** True when it stands before the task, or is it. */
  readonly leads: boolean;
  readonly lastUser: boolean;
  readonly pinned: ReadonlySet<Message>;
}

function requiredZone({ step, messages, leads, lastUser, pinned }: Placed): Zone {
  const own = messages.slice(step.from, step.to);
  const [first] = own;
  if (first !== undefined && isHandoff(first)) return 'handoff';
  // What we cannot read we cannot judge, shorten or move.
  const required =
    first?.role === 'system' ||
    lastUser ||
    step.inFlight.length > 0 ||
    own.some((message) => pinned.has(message) || message.parts.some(isUnreadable));
  return !required ? 'middle' : leads ? 'head' : 'pinned';
}

function isUnreadable(part: Message['parts'][number]): boolean {
  return part.type === 'opaque' || (part.type === 'tool-result' && part.content.some((item) => item.type === 'opaque'));
}
