import { type ModelWindow, UNKNOWN_WINDOW } from '../../core/tokens/window.ts';
import type { ContextOptions } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';

/** The models of a context, first choice first, with the windows learned from providers. */
export interface WindowChain {
  all(): readonly ModelWindow[];
  /** The model in use; null when the context knows none. */
  active(): ModelWindow | null;
  activeId(): string;
  /** The model in use with its learned window; a stand-in for an unknown model when there is none. */
  inUse(): ModelWindow;
  /** Returns a model with its own window, or with a smaller one that its provider named. */
  asLearned(model: ModelWindow): ModelWindow;
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
  const asLearned = (model: ModelWindow): ModelWindow => {
    const learned = journal.state.learned[model.id];
    return learned === undefined ? model : { ...model, contextWindow: Math.min(model.contextWindow, learned) };
  };
  const inUse = (): ModelWindow => asLearned(active() ?? UNKNOWN);
  const rest = (): readonly ModelWindow[] => all().slice(all().findIndex(({ id }) => id === activeId()) + 1);
  return {
    all,
    active,
    activeId,
    inUse,
    asLearned,
    next: () => rest()[0] ?? null,
    larger() {
      const { contextWindow } = inUse();
      return rest().find((model) => asLearned(model).contextWindow > contextWindow) ?? null;
    },
  };
}
