/** The states of the search in columns of numbers: a session of thousands of requests has as many of them. */

/** How a state was reached: its last event, and the steps before it. */
export interface Step {
  readonly request: number;
  readonly operator: number;
  readonly before: Step | null;
}

export interface States {
  length: number;
  /** Cost so far. */
  readonly values: Float64Array;
  /** Size of the context minus all tokens that were ever added. */
  readonly offsets: Float64Array;
  readonly steps: (Step | null)[];
}

export function createStates(capacity: number): States {
  return { length: 0, values: new Float64Array(capacity), offsets: new Float64Array(capacity), steps: [] };
}

export function addState(
  states: States,
  { value, offset, step }: { readonly value: number; readonly offset: number; readonly step: Step | null },
): void {
  states.values[states.length] = value;
  states.offsets[states.length] = offset;
  states.steps[states.length] = step;
  states.length++;
}

export interface CheapestState {
  /** The lowest cost; infinite when no state is possible. */
  readonly value: number;
  readonly step: Step | null;
}

/** Finds the cheapest state, after adding the cost that `costAt` gives for its offset. */
export function cheapestState(
  { length, values, offsets, steps }: States,
  costAt: (offset: number) => number,
): CheapestState {
  let value = Number.POSITIVE_INFINITY;
  let best = -1;
  for (let state = 0; state < length; state++) {
    const all = (values[state] ?? 0) + costAt(offsets[state] ?? 0);
    if (all < value) {
      value = all;
      best = state;
    }
  }
  return { value, step: steps[best] ?? null };
}
