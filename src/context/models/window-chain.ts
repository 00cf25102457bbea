import { type ModelWindow, UNKNOWN_WINDOW } from '../../core/tokens/window.ts';
import type { ContextOptions } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import { isAbout, type StatedWindow, type WindowBelief } from './window-belief.ts';

/** The models of a context, first choice first, with the windows learned from providers. */
export interface WindowChain {
  all(): readonly ModelWindow[];
  /** The model in use; null when the context knows none. */
  active(): ModelWindow | null;
  activeId(): string;
  /** The model in use with its learned window; a stand-in for an unknown model when there is none. */
  inUse(): ModelWindow;
  /** Returns a model with its own window, or with a smaller one that was learned from its provider. */
  asLearned(model: ModelWindow): ModelWindow;
  /** The belief about the window of the model in use; null when there is none, or when the host has stated another window since. */
  belief(): WindowBelief | null;
  /** The windows that the host states for the model in use. */
  stated(): StatedWindow;
  /** True when the window of any model was learned. */
  isCorrected(): boolean;
  /** The next model of the chain; null after the last. */
  next(): ModelWindow | null;
  /** The next model of the chain with a larger window; null when there is none. */
  larger(): ModelWindow | null;
}

const UNKNOWN: ModelWindow = { id: 'unknown', contextWindow: UNKNOWN_WINDOW, maxOutput: null };

export function createWindowChain(options: ContextOptions, journal: Pick<Journal, 'state'>): WindowChain {
  const all = (): readonly ModelWindow[] => {
    const { added } = journal.state;
    const given = (options.models ?? []).map((model) => added.find(({ id }) => id === model.id) ?? model);
    return [...given, ...added.filter(({ id }) => !given.some((model) => model.id === id))];
  };
  const active = (): ModelWindow | null => all().find(({ id }) => id === journal.state.model) ?? all()[0] ?? null;
  const activeId = (): string => active()?.id ?? UNKNOWN.id;
  const statedOf = (model: ModelWindow): StatedWindow => ({
    model: model.contextWindow,
    window: options.window ?? null,
  });
  const beliefOf = (model: ModelWindow): WindowBelief | null => {
    const belief = journal.state.learned[model.id];
    return belief !== undefined && isAbout(belief, statedOf(model)) ? belief : null;
  };
  const asLearned = (model: ModelWindow): ModelWindow => {
    const belief = beliefOf(model);
    return belief === null ? model : { ...model, contextWindow: Math.min(model.contextWindow, belief.window) };
  };
  const inUse = (): ModelWindow => asLearned(active() ?? UNKNOWN);
  const rest = (): readonly ModelWindow[] => all().slice(all().findIndex(({ id }) => id === activeId()) + 1);
  return {
    all,
    active,
    activeId,
    inUse,
    asLearned,
    belief: () => beliefOf(active() ?? UNKNOWN),
    stated: () => statedOf(active() ?? UNKNOWN),
    isCorrected: () => [...all(), active() ?? UNKNOWN].some((model) => beliefOf(model) !== null),
    next: () => rest()[0] ?? null,
    larger() {
      const { contextWindow } = inUse();
      return rest().find((model) => asLearned(model).contextWindow > contextWindow) ?? null;
    },
  };
}
