import { resultTextOf, type ToolCallPart, toolCallsOf, toolResultsOf } from '../../core/conversation/message.ts';
import { type Action, describeCall } from '../../core/record/calls/action.ts';
import { isLookup } from '../../core/record/calls/action-kinds.ts';
import { usdOf } from '../cache/bill.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { Trace, TraceRequest } from '../trace/trace.ts';
import { type ReplayItem, unchangedIn } from '../view/item.ts';
import type { ReplayResult } from './result.ts';

/** A lookup of content: its name and size. */
interface Lookup {
  readonly key: string;
  readonly tokens: number;
}

const known = new WeakMap<Trace, readonly (readonly Lookup[])[]>();

export interface Rereads {
  /** Examines the messages that are new with a request. `view` already holds them; `left` requests follow. */
  see(request: TraceRequest, view: readonly ReplayItem[], left: number): void;
  found(rules: CacheRules): ReplayResult['rereads'];
}

/**
 * Counts content that was looked up again after the policy had dropped it. The recorded session may have had other reasons to look again, so
 * this is an upper bound.
 */
export function createRereads(trace: Trace): Rereads {
  const lookups = lookupsOf(trace);
  const last = new Map<string, number>();
  let count = 0;
  let tokens = 0;
  let carried = 0;
  return {
    see: ({ from, to }, view, left) => {
      let standing: ReadonlySet<number> | null = null;
      for (let index = from; index < to; index++)
        for (const lookup of lookups[index] ?? []) {
          const before = last.get(lookup.key);
          last.set(lookup.key, index);
          if (before === undefined || before >= from) continue;
          standing ??= unchangedIn(view, trace);
          if (standing.has(before)) continue;
          count += 1;
          tokens += lookup.tokens;
          carried += lookup.tokens * left;
        }
    },
    found: (rules) => ({ count, tokens, usd: usdOf(rules, rules.write * tokens + rules.read * carried) }),
  };
}

function lookupsOf(trace: Trace): readonly (readonly Lookup[])[] {
  const made = known.get(trace);
  if (made !== undefined) return made;
  const calls = new Map<string, ToolCallPart>();
  const lookups = trace.conversation.messages.map((message, index) => {
    for (const call of toolCallsOf(message)) calls.set(call.callId, call);
    const results = toolResultsOf(message);
    const characters = results.reduce((sum, result) => sum + resultTextOf(result).length, 0);
    return results.flatMap((result): readonly Lookup[] => {
      const call = calls.get(result.callId);
      const action = call === undefined ? null : describeCall(call);
      if (action === null || !isLookup(action)) return [];
      const share = characters === 0 ? 0 : resultTextOf(result).length / characters;
      return [{ key: keyOf(action), tokens: Math.round((trace.tokens[index] ?? 0) * share) }];
    });
  });
  known.set(trace, lookups);
  return lookups;
}

/** Returns the key of a lookup. A file has one key, whichever of its lines are read. */
function keyOf(action: Action): string {
  if (action.command !== null) return `shell ${action.command}`;
  return action.verb === 'read' && action.paths.length > 0
    ? `read ${action.paths.join(' ')}`
    : `${action.tool} ${action.raw}`;
}
