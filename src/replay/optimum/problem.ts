import type { CallKind } from '../break-even/closed-forms.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { Trace } from '../trace/trace.ts';

/** A session, and the operators that may compact it. */
export interface OptimumProblem {
  /** Prices and cache rules of the provider. */
  readonly rules: CacheRules;
  /** The session's requests, in order. */
  readonly requests: readonly OptimumRequest[];
  /** Operators that may be used before any request. */
  readonly operators: readonly OptimumOperator[];
  /** Tokens that a request may hold. @default Infinity */
  readonly window?: number;
  /** Cost of an event other than money (quality, time), in uncached input tokens. It influences the decision but is not part of `usd`. @default 0 */
  readonly penalty?: number;
}

/** A request reduced to its time and size. */
export interface OptimumRequest {
  /** Milliseconds, on the same clock for all requests. */
  readonly at: number;
  /** Tokens added since the request before; the first one includes system prompt and tools. */
  readonly appended: number;
  /** Tokens of the answer. */
  readonly outputTokens: number;
  /** False while calls are unanswered, when no event may happen. */
  readonly isLegalCut: boolean;
}

/** A way to compact, described by sizes. */
export interface OptimumOperator {
  /** Name in results. */
  readonly id: string;
  /** How the summary is asked for. */
  readonly call: CallKind;
  /** Tokens of the summary; 0 without a call. */
  readonly summary: number;
  /** Returns the sizes that an event before this request leaves, whatever happened earlier; null when it cannot be used there. */
  retained(request: number): Retained | null;
}

/** Sizes that an event leaves, not counting the tokens that its request adds. */
export interface Retained {
  /** Tokens at the start that stay byte for byte. */
  readonly stable: number;
  /** All tokens that are left. */
  readonly after: number;
}

/** The cheapest course of a session for someone who knows all of it. */
export interface Optimum {
  /** Price in US dollars. */
  readonly usd: number;
  /** The same in uncached input tokens. */
  readonly units: number;
  /** `units` plus the penalties: the amount that was minimized. */
  readonly objective: number;
  /** Indexes of the requests before which to compact. */
  readonly events: readonly number[];
  /** Id of the operator of each event. */
  readonly operators: readonly string[];
}

/** Reduces the requests of a trace to times and sizes. */
export function optimumRequestsOf(trace: Trace): readonly OptimumRequest[] {
  return trace.requests.map(({ at, from, to, outputTokens, isLegalCut }, index) => {
    let appended = index === 0 ? trace.fixedTokens : 0;
    for (let message = from; message < to; message++) appended += trace.tokens[message] ?? 0;
    return { at, appended, outputTokens, isLegalCut };
  });
}

/** Makes an operator that leaves the same sizes wherever it is used. */
export function fixedOperator(shape: Omit<OptimumOperator, 'retained'> & Retained): OptimumOperator {
  const { id, call, summary, stable, after } = shape;
  return { id, call, summary, retained: () => ({ stable, after }) };
}
