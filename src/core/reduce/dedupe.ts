import { type Message, resultTextOf, toolCallsOf, toolResultsOf } from '../conversation/message.ts';
import { describeCall, isLookup } from '../ledger/calls.ts';

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
 * Older results that a newer one repeats, by index of the message that holds them; `keeper` is the index of the newer one. Two texts that
 * differ in a number, a name, a negation or a date are never near-duplicates, however alike they are.
 */
export function findRedundant(messages: readonly Message[]): ReadonlyMap<number, Redundancy> {
  const found = new Map<number, Redundancy>();
  const exact = new Map<string, number>();
  const byTarget = new Map<string, { readonly index: number; readonly lines: ReadonlySet<string> }>();
  const targets = lookupTargets(messages);
  for (let index = messages.length - 1; index >= 0; index--) {
    for (const part of toolResultsOf(messages[index] as Message)) {
      const text = resultTextOf(part);
      if (text.length < COMPARED_CHARS) continue;
      const same = exact.get(text);
      if (same !== undefined) {
        found.set(index, { type: 'exact', keeper: same });
        continue;
      }
      exact.set(text, index);
      const target = targets.get(`${part.callId}@${index}`);
      if (target === undefined) continue;
      const newer = byTarget.get(target);
      const lines = new Set(text.split('\n', NEAR_LINES).map((line) => line.trim()));
      if (newer === undefined) byTarget.set(target, { index, lines });
      else found.set(index, { type: isNearDuplicate(lines, newer.lines) ? 'near' : 'superseded', keeper: newer.index });
    }
  }
  return found;
}

/** What each lookup looked at, by call id and index of the message with its result. */
function lookupTargets(messages: readonly Message[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const [index, message] of messages.entries())
    for (const call of toolCallsOf(message)) {
      const action = describeCall(call);
      if (!isLookup(action) || action.target === null) continue;
      for (let at = index + 1; at < messages.length; at++) {
        const results = toolResultsOf(messages[at] as Message);
        if (results.length === 0) break;
        if (results.some((result) => result.callId === call.callId))
          targets.set(`${call.callId}@${at}`, `${action.tool} ${call.arguments}`);
      }
    }
  return targets;
}

function isNearDuplicate(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const different = [...[...left].filter((line) => !right.has(line)), ...[...right].filter((line) => !left.has(line))];
  const shared = left.size + right.size - different.length;
  return shared / (left.size + right.size) >= NEAR_SHARE && !different.some((line) => TELLING.test(line));
}

/** A difference in one of these is a difference in meaning. */
const TELLING = /\d|\b(?:not|no|never|n't|cannot|without|except)\b|\b[A-Z][\w-]+/;
