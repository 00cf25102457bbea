import { PrecisError } from '../errors.ts';
import type { ModelFailure } from '../model.ts';
import { type Limits, type LimitsInput, limitsFor, type ModelWindow } from '../tokens/window.ts';
import type { Prepared } from './context.ts';
import type { ContextOptions } from './options.ts';
import type { ContextState } from './state.ts';

/** What to do after a request failed. */
export interface Fallback {
  /** `retry`: send `prepared` again. `switch`: send it to `model`. `give-up`: nothing here can help. */
  readonly action: 'retry' | 'switch' | 'give-up';
  /** The model to ask; null when the context knows none. */
  readonly model: string | null;
  readonly reason: string;
  readonly failure: ModelFailure;
  readonly prepared: Prepared | null;
}

/** The chain of models and the sizes that follow from the one in use. */
export interface ContextModels {
  active(): ModelWindow | null;
  activeId(): string;
  limits(): Limits;
  limitsInput(): LimitsInput;
  find(model: string | ModelWindow): ModelWindow;
  /** The next of the chain; null after the last. */
  next(): ModelWindow | null;
  /** The next of the chain that holds more. */
  larger(): ModelWindow | null;
  /** What an overflow teaches: the window that the provider named, or that it is smaller than what was sent. */
  learn(named: number | null, sent: number): Partial<ContextState>;
}

/** A provider that does not name its window took this much less than it was sent, at least. */
const UNNAMED_SHARE = 0.9;
/** Reading the window from an error must not make a context useless. */
const SMALLEST_LEARNED = 1_000;

export function createModels(options: ContextOptions, state: { readonly now: ContextState }): ContextModels {
  const chain: ModelWindow[] = [...(options.models ?? [])];
  const active = (): ModelWindow | null => chain.find(({ id }) => id === state.now.model) ?? chain[0] ?? null;
  const activeId = (): string => active()?.id ?? 'unknown';
  const asLearned = (model: ModelWindow): ModelWindow => {
    const learned = state.now.learned[model.id];
    return learned === undefined ? model : { ...model, contextWindow: Math.min(model.contextWindow, learned) };
  };
  const limitsInput = (): LimitsInput => {
    const { fit = 'smallest', ...policy } = options.policy ?? {};
    const model = active();
    const fitted = fit === 'active' ? (model === null ? [] : [model]) : chain;
    const learned = state.now.learned[activeId()];
    const window = options.window === undefined ? undefined : Math.min(options.window, learned ?? options.window);
    const unknown = model === null && learned !== undefined ? { window: learned } : {};
    return {
      ...policy,
      ...(fitted.length === 0 ? {} : { models: fitted.map(asLearned) }),
      ...(window === undefined ? unknown : { window }),
    };
  };
  let known: { readonly key: string; readonly limits: Limits } | null = null;
  const rest = (): readonly ModelWindow[] => chain.slice(chain.findIndex(({ id }) => id === activeId()) + 1);
  return {
    active,
    activeId,
    limitsInput,
    limits() {
      const key = `${activeId()} ${JSON.stringify(state.now.learned)} ${chain.length}`;
      if (known?.key !== key) known = { key, limits: limitsFor(limitsInput()) };
      return known.limits;
    },
    find(model) {
      if (typeof model !== 'string') {
        if (!chain.some(({ id }) => id === model.id)) chain.push(model);
        return model;
      }
      const found = chain.find(({ id }) => id === model);
      if (found !== undefined) return found;
      const ids = chain.map(({ id }) => id).join(', ') || 'none';
      throw new PrecisError(
        'bad-option',
        `Expected a model of the chain (${ids}) or an object with its window, got \`${model}\``,
        { model },
      );
    },
    next: () => rest()[0] ?? null,
    larger: () => {
      const window = asLearned(active() ?? { id: '', contextWindow: 0, maxOutput: null }).contextWindow;
      return rest().find((model) => asLearned(model).contextWindow > window) ?? null;
    },
    learn(named, sent) {
      const window = Math.max(SMALLEST_LEARNED, Math.floor(named ?? sent * UNNAMED_SHARE));
      const before = state.now.learned[activeId()] ?? Number.POSITIVE_INFINITY;
      return { learned: { ...state.now.learned, [activeId()]: Math.min(before, window) } };
    },
  };
}
