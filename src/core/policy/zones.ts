import { type Message, textOf } from '../conversation/message.ts';
import { type Step, splitSteps } from '../conversation/steps.ts';
import { lastUserIndex, taskIndex } from '../conversation/turns.ts';
import { isHandoff } from '../handoff/record.ts';
import type { Measure } from '../tokens/measure.ts';

/**
 * Where a step stands. `head`: system and task. `pinned`: must stay as it is wherever it stands. `tail`: the newest steps.
 * `middle`: may be condensed or folded. `handoff`: an earlier handoff, whose record goes into the next one.
 */
export type Zone = 'head' | 'pinned' | 'middle' | 'handoff' | 'tail';

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
}

/** The task stays word for word up to this share of the target; a longer one is quoted in the handoff. */
const TASK_SHARE = 0.3;
/** The last words of the assistant are pinned outside the tail up to this share of the target. */
const LAST_WORDS_SHARE = 0.15;

/** Cuts a history into steps and says which of them must stay. */
export function zoneSteps(messages: readonly Message[], measure: Measure, limits: ZoneLimits): readonly ZonedStep[] {
  const steps = splitSteps(messages);
  const tokens = steps.map((step) => measure.messages(messages.slice(step.from, step.to)));
  const stepOf = (index: number): number => steps.findIndex((step) => index >= step.from && index < step.to);
  const task = stepOf(taskIndex(messages));
  const zones: Zone[] = steps.map((step, index) => baseZone(messages.slice(step.from, step.to), index <= task));
  if (task >= 0 && zones[task] === 'middle' && (tokens[task] ?? 0) <= limits.target * TASK_SHARE) zones[task] = 'head';
  const lastUser = stepOf(lastUserIndex(messages));
  if (lastUser >= 0 && zones[lastUser] === 'middle') zones[lastUser] = 'pinned';
  for (const [index, step] of steps.entries()) if (step.inFlight.length > 0) zones[index] = 'pinned';
  const lastWords = stepOf(
    messages.findLastIndex((message) => message.role === 'assistant' && textOf(message).trim() !== ''),
  );
  if (lastWords >= 0 && zones[lastWords] === 'middle' && (tokens[lastWords] ?? 0) <= limits.target * LAST_WORDS_SHARE)
    zones[lastWords] = 'pinned';
  let left = limits.tailTokens;
  for (let index = steps.length - 1; index >= 0; index--) {
    if (zones[index] !== 'middle' && zones[index] !== 'pinned') continue;
    left -= tokens[index] ?? 0;
    if (left < 0) break;
    zones[index] = 'tail';
  }
  return steps.map((step, index) => ({ ...step, zone: zones[index] ?? 'middle', tokens: tokens[index] ?? 0 }));
}

function baseZone(messages: readonly Message[], leads: boolean): Zone {
  const [first] = messages;
  if (first === undefined) return 'middle';
  if (first.role === 'system') return leads ? 'head' : 'pinned';
  if (isHandoff(first)) return 'handoff';
  // What we cannot read we cannot judge, shorten or move.
  return messages.some((message) => message.parts.some(isUnreadable)) ? 'pinned' : 'middle';
}

function isUnreadable(part: Message['parts'][number]): boolean {
  return part.type === 'opaque' || (part.type === 'tool-result' && part.content.some((item) => item.type === 'opaque'));
}
