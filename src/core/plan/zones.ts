import { type Message, textOf } from '../conversation/message.ts';
import { type Step, splitSteps } from '../conversation/steps.ts';
import { lastUserIndex, taskIndex } from '../conversation/turns.ts';
import { isHandoff } from '../record/handoff/handoff-message.ts';
import type { Measure } from '../tokens/measure.ts';
import { RECORD_FIRST_TOKENS } from '../tokens/window.ts';
import { type Reach, untouchableSteps } from './reach.ts';
import { type ShortWords, shortWords } from './short-words.ts';

/**
 * The position of a step. `head`: system and task. `pinned`: stays as it is, wherever it is. `reducible`: the newest request together with results,
 * or calls in flight, which may be condensed. `tail`: the newest steps. `newest`: the step whose results no model has read yet, when it is too large for the tail; it is
 * trimmed rather than folded, or the agent would make the same calls again. `middle`: may be condensed or folded. `handoff`: an earlier handoff, whose record goes into the next one.
 * `open`: a step of the turn under way that must be folded, and `retold`: its last one, whose results are told as text.
 */
export type Zone = 'head' | 'pinned' | 'reducible' | 'middle' | 'handoff' | 'newest' | 'tail' | 'open' | 'retold';

export interface ZonedStep extends Step {
  readonly zone: Zone;
  /** Tokens of the step as it is. */
  readonly tokens: number;
  /** The shorter form of a newest user message that is too large for the view; null for every other step. */
  readonly words: ShortWords | null;
  /** True for the step of the newest request. */
  readonly holdsRequest: boolean;
  /** The newest request, in a retold step whose turn it stands in, whole or shorter; null for every other step. */
  readonly request: Message | null;
}

export interface ZoneLimits {
  /** Size the view must not exceed. */
  readonly target: number;
  /** Budget of the verbatim tail. */
  readonly tailTokens: number;
  /** Messages that must stay as they are. */
  readonly pinned?: ReadonlySet<Message>;
  /** How far the plan may reach. @default 'usual' */
  readonly reach?: Reach;
  /** Index of the first message of a turn under way that has to be folded whole; null to leave the turn alone. @default null */
  readonly openTurn?: number | null;
}

/** Tokens of a handoff's frame and section titles, and of the smallest content that is worth a handoff. */
export const FRAME_TOKENS = 260;
export const SMALLEST_HANDOFF_TOKENS = 400;
const HANDOFF_ROOM_TOKENS = FRAME_TOKENS + SMALLEST_HANDOFF_TOKENS;

/**
 * Shares of the room that remains after what must stay (system messages, calls in flight, parts we cannot read): the most that a step itself may take, and
 * the most that all protected steps may take together. The newest user message stays too; beyond its share it is trimmed. The last words get a
 * share only of what lies beyond the first tokens, as the tail does.
 */
const TASK = { own: 0.3, together: 0.6 };
const LAST_WORDS = { own: 0.15, together: 0.7 };
const UNREADABLE_TOGETHER = 0.7;
const TAIL_TOGETHER = 0.8;

/** Cuts a history into steps and says which of them stay. */
export function zoneSteps(messages: readonly Message[], measure: Measure, limits: ZoneLimits): readonly ZonedStep[] {
  const steps = splitSteps(messages);
  const stepOf = stepFinder(steps);
  const whole = steps.map((step) => measure.messages(messages.slice(step.from, step.to)));
  // An earlier handoff has the role of the user, but nobody said it.
  const said = messages.map((message) => (isHandoff(message) ? NOBODY : message));
  const task = stepOf(taskIndex(said));
  const lastSaid = lastUserIndex(said);
  const lastUser = stepOf(lastSaid);
  const firstSaid = messages.findIndex((message) => message.role !== 'system');
  const { pinned = NONE, reach = 'usual', openTurn = null } = limits;
  const mustStay = untouchableSteps(steps, { messages, pinned, reach });
  const last = steps.length - 1;
  const isSystem = ({ from }: Step): boolean => messages[from]?.role === 'system';
  const newestSaid = steps.findLastIndex((step) => !isSystem(step));
  const zones = steps.map((step, index): Zone => {
    if (openTurn !== null && step.from >= openTurn && !isSystem(step)) return index === newestSaid ? 'retold' : 'open';
    if (isHandoff(messages[step.from] as Message)) return 'handoff';
    // The results of calls in flight will follow them, so such a step may get shorter but never goes.
    if (!mustStay[index] && step.inFlight.length > 0) return 'reducible';
    if (!mustStay[index] && index !== lastUser) return 'middle';
    if (!mustStay[index] && step.to - step.from > 1) return index === last ? 'newest' : 'reducible';
    return index <= task || step.from < firstSaid ? 'head' : 'pinned';
  });
  const free = Math.max(0, limits.target - sum(whole.filter((_, index) => mustStay[index])));
  const asked = mustStay[lastUser] === false ? steps[lastUser] : undefined;
  const words = asked === undefined ? null : shortWords(messages, lastSaid, { measure, room: free, reach });
  const tokens = whole.map((size, index) => (index === lastUser && words !== null ? size - words.saved : size));
  let together = asked === undefined ? 0 : (tokens[lastUser] ?? 0);
  // Steps that may go are protected only while a useful handoff still fits, and never at the last resort.
  const room = reach === 'least' ? 0 : Math.max(0, free - HANDOFF_ROOM_TOKENS);
  const protect = (index: number, zone: Zone, { own, together: share }: Shares): boolean => {
    const size = tokens[index] ?? 0;
    if (zones[index] !== 'middle') return zones[index] !== 'handoff';
    if (size > own || together + size > room * share) return false;
    // A step before the task stays in front of it, even where a conversation was cut and the assistant speaks first.
    zones[index] = index < task ? 'head' : zone;
    together += size;
    return true;
  };
  protect(task, 'head', { ...TASK, own: free * TASK.own });
  const lastWords = stepOf(lastWordsIndex(messages));
  protect(lastWords, 'pinned', { ...LAST_WORDS, own: Math.max(0, free - RECORD_FIRST_TOKENS) * LAST_WORDS.own });
  // Parts that only this reach may cut go oldest first, and only as far as needed.
  if (reach === 'deep')
    for (const [index, stays] of [...untouchableSteps(steps, { messages, pinned, reach: 'usual' }).entries()].reverse())
      if (stays) protect(index, 'pinned', { own: room, together: UNREADABLE_TOGETHER });
  // A large system message takes its part from the tail too.
  let left = openTurn === null ? (limits.tailTokens * free) / limits.target : 0;
  for (let index = last; index >= 0; index--) {
    if (!protect(index, 'tail', { own: left, together: TAIL_TOGETHER })) break;
    left -= tokens[index] ?? 0;
  }
  const unread = unreadStep(messages, steps);
  if (zones[unread] === 'middle') zones[unread] = 'newest';
  const isFolded = openTurn !== null && lastSaid >= openTurn;
  return steps.map((step, index) => ({
    ...step,
    zone: zones[index] ?? 'middle',
    tokens: whole[index] ?? 0,
    words: index === lastUser && !isFolded ? words : null,
    holdsRequest: index === lastUser,
    request: isFolded && zones[index] === 'retold' ? (words?.show([]) ?? messages[lastSaid] ?? null) : null,
  }));
}

/** Index of the last message in which the assistant says something; -1 when there is none. */
function lastWordsIndex(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'assistant' && textOf(message).trim() !== '');
}

/** The step with results that no answer follows; -1 when the newest answer called no tool. Users and hosts may have spoken since. */
function unreadStep(messages: readonly Message[], steps: readonly Step[]): number {
  const answered = steps.findLastIndex(({ from, to }) =>
    messages.slice(from, to).some(({ role }) => role === 'assistant'),
  );
  const step = steps[answered];
  return step !== undefined && step.to - step.from > 1 ? answered : -1;
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
