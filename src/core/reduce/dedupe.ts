import {
  type Message,
  resultTextOf,
  type ToolResultPart,
  toolCallsOf,
  toolResultsOf,
} from '../conversation/message.ts';
import { tellsApart } from '../language/names.ts';
import { describeCall } from '../record/calls/action.ts';
import { isLookup } from '../record/calls/action-kinds.ts';

/** Why an older tool result is not worth keeping beside a newer one. */
export type Redundancy =
  | { readonly type: 'exact'; readonly keeper: number }
  | { readonly type: 'near'; readonly keeper: number }
  | { readonly type: 'superseded'; readonly keeper: number };

/** Results shorter than this are not worth comparing. */
const COMPARED_CHARS = 200;
/** Share of lines two results must have in common to be near-duplicates. */
const NEAR_SHARE = 0.9;
/** Texts with more lines than this are only compared exactly: they are rarely the same by chance. */
const NEAR_LINES = 2_000;

/**
 * Older results that a newer one repeats, by index of the message that holds them; `keeper` is the index of the newer one. A message with
 * several results is redundant only when all of them are, and an exact copy only when one message repeats them all. Two texts that differ in
 * a number, a name, a negation or a date are never near-duplicates, however alike they are.
 */
export function findRedundant(messages: readonly Message[]): ReadonlyMap<number, Redundancy> {
  const found = new Map<number, Redundancy>();
  const exact = new Map<string, number>();
  const byTarget = new Map<string, Newer>();
  const targets = lookupTargets(messages);
  for (let index = messages.length - 1; index >= 0; index--) {
    const results = toolResultsOf(messages[index] as Message);
    const compared = results.filter(isCompared);
    const all = compared.map((part) => {
      const text = resultTextOf(part);
      const same = exact.get(text);
      if (same !== undefined) return { type: 'exact', keeper: same } as const;
      const target = targets.get(`${part.callId}@${index}`);
      const newer = target === undefined ? undefined : byTarget.get(target);
      if (newer === undefined) return null;
      const type = isNearDuplicate(linesOf(text), newer.lines) ? 'near' : 'superseded';
      return { type, keeper: newer.index } as const;
    });
    // Only now, so that nothing is held against results of the same message.
    for (const [at, part] of compared.entries()) {
      const text = resultTextOf(part);
      const target = targets.get(`${part.callId}@${index}`);
      if (all[at]?.type !== 'exact') exact.set(text, index);
      if (target !== undefined && !byTarget.has(target)) byTarget.set(target, { index, lines: linesOf(text) });
    }
    const redundancy = results.every(isText) ? together(all) : null;
    if (redundancy !== null) found.set(index, redundancy);
  }
  return found;
}

interface Newer {
  readonly index: number;
  readonly lines: ReadonlySet<string>;
}

/** Two pictures with one caption may differ, so only text is compared. */
function isText(part: ToolResultPart): boolean {
  return part.content.every((item) => item.type === 'text');
}

function isCompared(part: ToolResultPart): boolean {
  return isText(part) && resultTextOf(part).length >= COMPARED_CHARS;
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(text.split('\n', NEAR_LINES).map((line) => line.trim()));
}

function together(all: readonly (Redundancy | null)[]): Redundancy | null {
  const [first] = all;
  if (first === undefined || first === null || all.includes(null)) return null;
  if (all.every((one) => one?.keeper === first.keeper && one.type === first.type)) return first;
  return { type: 'superseded', keeper: Math.max(...all.map((one) => one?.keeper ?? 0)) };
}

/** What each lookup looked at, by call id and index of the message with its result. */
function lookupTargets(messages: readonly Message[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    const calls = toolCallsOf(message);
    if (calls.length === 0) continue;
    const looked = new Map<string, string>();
    for (const call of calls) {
      const action = describeCall(call);
      if (isLookup(action) && action.target !== null) looked.set(call.callId, `${action.tool} ${call.arguments}`);
    }
    for (let at = index + 1; at < messages.length; at++) {
      const results = toolResultsOf(messages[at] as Message);
      if (results.length === 0) break;
      for (const { callId } of results) {
        const target = looked.get(callId);
        if (target !== undefined) targets.set(`${callId}@${at}`, target);
      }
    }
  }
  return targets;
}

function isNearDuplicate(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const different = [...[...left].filter((line) => !right.has(line)), ...[...right].filter((line) => !left.has(line))];
  const shared = left.size + right.size - different.length;
  return shared / (left.size + right.size) >= NEAR_SHARE && !different.some(tellsApart);
}
