/** What a context believes about the window of a model whose provider refused a request as too long, and the evidence for it. */
export interface WindowBelief {
  /** Tokens that the model is believed to accept, input and output together. */
  readonly window: number;
  /** True when the provider named this number; false when it was guessed from the sizes that passed and failed. */
  readonly isNamed: boolean;
  /** The largest request that was answered; null when none was. */
  readonly accepted: number | null;
  /** The smallest request that was refused as too long; null when a larger one was answered since. */
  readonly refused: number | null;
  /** The windows that the host had stated by then; null for a belief that an earlier version stored without them. */
  readonly stated: StatedWindow | null;
}

/** The windows that the host states. */
export interface StatedWindow {
  /** The window of the model. */
  readonly model: number;
  /** The option `window`; null when it is not set. */
  readonly window: number | null;
}

/** One request that was too long. */
export interface Refusal {
  /** The window that the provider named; null when it named none. */
  readonly named: number | null;
  /** Size of the request. */
  readonly size: number;
  readonly stated: StatedWindow;
  /** The largest request that is known to have passed before there was a belief; null when none is. */
  readonly accepted: number | null;
}

/** One request that was answered. */
export interface Acceptance {
  /** Size of the request. */
  readonly size: number;
  /** `provider`: the provider counted the size. `us`: it is our own estimate. */
  readonly countedBy: 'provider' | 'us';
}

/** A provider that does not name its window is assumed to accept this share of the size it refused. */
const UNNAMED_SHARE = 0.9;
/** The smallest window to guess: below it, a handoff has no room, and something other than the messages fills the request. */
const SMALLEST_GUESS = 4_096;
/** The smallest window to take from an error, because a misread number must not make a context useless. */
const SMALLEST_NAMED = 1_000;

/**
 * The belief after a request was refused as too long. A number that the provider names wins over everything but what the host stated. Without
 * one, the window falls to a share of the size refused, but not below what was accepted.
 */
export function afterRefusal(earlier: WindowBelief | null, { named, size, stated, accepted }: Refusal): WindowBelief {
  // A size that passed once and fails now proves nothing any more.
  const passed = belowOrNull(earlier === null ? accepted : earlier.accepted, size);
  const refused = Math.min(earlier?.refused ?? size, size);
  const most = stated.window ?? stated.model;
  if (named !== null) {
    const window = Math.min(most, Math.max(SMALLEST_NAMED, Math.floor(named)));
    return { window, isNamed: true, accepted: belowOrNull(passed, window + 1), refused, stated };
  }
  const guess = Math.max(SMALLEST_GUESS, passed ?? 0, Math.floor(size * UNNAMED_SHARE));
  const before = earlier?.window ?? most;
  const isNamed = earlier?.isNamed === true && before <= guess;
  return { window: Math.min(before, guess), isNamed, accepted: passed, refused, stated };
}

/**
 * The belief after a request was answered. A size above the believed window raises it. Our own estimate may be wrong, so it does not raise a
 * window that the provider named; the provider's own count does.
 */
export function afterAcceptance(belief: WindowBelief, { size, countedBy }: Acceptance): WindowBelief {
  if (belief.isNamed && countedBy === 'us' && size > belief.window) return belief;
  if (size <= (belief.accepted ?? 0)) return belief;
  return {
    ...belief,
    window: Math.max(belief.window, size),
    // The provider did not name the size that it accepted.
    isNamed: belief.isNamed && size <= belief.window,
    accepted: size,
    refused: belief.refused !== null && belief.refused <= size ? null : belief.refused,
  };
}

/** False when the host has stated another window since, which replaces the belief. */
export function isAbout({ stated }: WindowBelief, now: StatedWindow): boolean {
  return stated === null || (stated.model === now.model && stated.window === now.window);
}

/** Reads stored beliefs. Earlier versions stored a bare number for each model. A belief that cannot be read is left out. */
export function readBeliefs(stored: unknown): Readonly<Record<string, WindowBelief>> {
  if (typeof stored !== 'object' || stored === null) return {};
  const beliefs = Object.entries(stored).flatMap(([id, value]: [string, unknown]) => {
    const belief = readBelief(isWindow(value) ? { window: value, isNamed: true } : value);
    return belief === null ? [] : [[id, belief] as const];
  });
  return Object.fromEntries(beliefs);
}

function readBelief(value: unknown): WindowBelief | null {
  const { window, isNamed, accepted, refused, stated } = (value ?? {}) as Partial<WindowBelief>;
  if (!isWindow(window)) return null;
  return {
    window,
    isNamed: isNamed === true,
    accepted: isWindow(accepted) ? accepted : null,
    refused: isWindow(refused) ? refused : null,
    stated: isWindow(stated?.model) ? { model: stated.model, window: stated.window ?? null } : null,
  };
}

function isWindow(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function belowOrNull(size: number | null, limit: number): number | null {
  return size !== null && size < limit ? size : null;
}
