import { type ToolResultPart, toolCallsOf, toolResultsOf } from '../../core/conversation/message.ts';
import type { DecodeNote } from '../../core/format.ts';
import type { Numbered } from './mend.ts';

/** A result away from its call, and the message that holds it. */
export interface Stray {
  readonly item: Numbered;
  readonly part: ToolResultPart;
}

/** Which result answers which call. Positions are those of the list that was given. */
export interface Assignment {
  readonly inPlace: ReadonlySet<ToolResultPart>;
  /** Results to move back, by the position of the calling message. */
  readonly moved: ReadonlyMap<number, readonly Stray[]>;
  /** Answered call ids, by the position of the calling message. */
  readonly answered: ReadonlyMap<number, ReadonlySet<string>>;
  readonly notes: readonly DecodeNote[];
}

export function assignResults(items: readonly Numbered[]): Assignment {
  const inPlace = new Set<ToolResultPart>();
  const moved = new Map<number, Stray[]>();
  const answered = new Map<number, Set<string>>();
  const notes: DecodeNote[] = [];
  /** Positions that still wait for an answer to an id; more than one when a server reuses ids. */
  const waiting = new Map<string, number[]>();
  const everAnswered = new Set<string>();
  const everCalled = new Set(items.flatMap((item) => toolCallsOf(item.message).map((call) => call.callId)));
  let blockOwner = -1;

  const answer = (position: number, callId: string): void => {
    answered.set(position, (answered.get(position) ?? new Set()).add(callId));
    everAnswered.add(callId);
    // Earlier callers with the same id can no longer be told apart.
    waiting.delete(callId);
  };

  items.forEach((item, position) => {
    for (const part of toolResultsOf(item.message)) {
      const callers = waiting.get(part.callId) ?? [];
      const [caller] = callers;
      if (callers.includes(blockOwner)) {
        inPlace.add(part);
        answer(blockOwner, part.callId);
      } else if (caller !== undefined && callers.length === 1) {
        append(moved, caller, { item, part });
        answer(caller, part.callId);
        notes.push({ message: item.index, text: `tool result \`${part.callId}\` moved next to its call` });
      } else {
        let why = 'has no call';
        if (callers.length > 1) why = 'could answer more than one call';
        else if (everAnswered.has(part.callId)) why = 'is a second answer to one call';
        else if (everCalled.has(part.callId)) why = 'stands before its call';
        notes.push({ message: item.index, text: `tool result \`${part.callId}\` ${why} and was dropped` });
      }
    }
    if (item.message.role === 'tool') return;
    blockOwner = position;
    for (const { callId } of toolCallsOf(item.message)) append(waiting, callId, position);
  });
  return { inPlace, moved, answered, notes };
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
