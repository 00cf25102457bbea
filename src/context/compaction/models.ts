import { PrecisError } from '../../core/errors.ts';
import {
  type Limits,
  type LimitsInput,
  limitsFor,
  type ModelWindow,
  reservedOutputOf,
  UNKNOWN_WINDOW,
} from '../../core/tokens/window.ts';
import type { ContextOptions } from '../options.ts';
import type { ContextState } from '../timeline/state.ts';

/** The chain of models and the sizes that follow from the one in use. */
export interface ContextModels {
  active(): ModelWindow | null;
  activeId(): string;
  limits(): Limits;
  limitsInput(): LimitsInput;
  /** What a request to the model in use may hold, also when the whole chain is planned for. */
  ownWindow(): number;
  /** The largest target that the limits allow. */
  mostTarget(): number;
  /** What using another model changes. Throws for a name that is not in the chain. */
  use(model: string | ModelWindow): Partial<ContextState>;
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
  const chain = (): readonly ModelWindow[] => {
    const { added } = state.now;
    const given = (options.models ?? []).map((model) => added.find(({ id }) => id === model.id) ?? model);
    return [...given, ...added.filter(({ id }) => !given.some((model) => model.id === id))];
  };
  const active = (): ModelWindow | null => chain().find(({ id }) => id === state.now.model) ?? chain()[0] ?? null;
  const activeId = (): string => active()?.id ?? UNKNOWN.id;
  const asLearned = (model: ModelWindow): ModelWindow => {
    const learned = state.now.learned[model.id];
    return learned === undefined ? model : { ...model, contextWindow: Math.min(model.contextWindow, learned) };
  };
  const wanted = (): LimitsInput => {
    const { fit: _fit, ...policy } = options.policy ?? {};
    return { ...policy, ...windows() };
  };
  const windows = (): Pick<LimitsInput, 'models' | 'window'> => {
    const fit = options.policy?.fit ?? 'smallest';
    const used = active() ?? UNKNOWN;
    const fitted = fit === 'active' || chain().length === 0 ? [used] : chain();
    const learned = state.now.learned[activeId()];
    return {
      models: fitted.map(asLearned),
      ...(options.window === undefined ? {} : { window: Math.min(options.window, learned ?? options.window) }),
    };
  };
  /** A window that a provider taught may be too small for the caller's own sizes; then those of the window itself count. */
  const limitsInput = (): LimitsInput => {
    const full = wanted();
    if (Object.keys(state.now.learned).length === 0) return full;
    try {
      limitsFor(full);
      return full;
    } catch (error) {
      if (PrecisError.is(error)) return windows();
      throw error;
    }
  };
  let known: { readonly key: string; readonly limits: Limits } | null = null;
  const limits = (): Limits => {
    const { learned, added } = state.now;
    const key = `${activeId()} ${JSON.stringify([learned, added])}`;
    if (known?.key !== key) known = { key, limits: limitsFor(limitsInput()) };
    return known.limits;
  };
  const rest = (): readonly ModelWindow[] => chain().slice(chain().findIndex(({ id }) => id === activeId()) + 1);
  return {
    active,
    activeId,
    limitsInput,
    limits,
    ownWindow() {
      if (options.window !== undefined) return limits().window;
      const model = asLearned(active() ?? UNKNOWN);
      return model.contextWindow - (options.policy?.reservedOutput ?? reservedOutputOf(model));
    },
    mostTarget() {
      const { thresholdRatio, thresholdCap } = limitsInput();
      const isAsked = thresholdRatio !== undefined || thresholdCap !== undefined;
      return isAsked ? limits().threshold - 1 : limits().window - 2;
    },
    use(model) {
      const { added } = state.now;
      if (typeof model !== 'string')
        return { model: model.id, added: [...added.filter(({ id }) => id !== model.id), model] };
      if (chain().some(({ id }) => id === model)) return { model };
      const ids =
        chain()
          .map(({ id }) => id)
          .join(', ') || 'none';
      const text = `Expected a model of the chain (${ids}) or an object with its window, got \`${model}\``;
      throw new PrecisError('bad-option', text, { model });
    },
    next: () => rest()[0] ?? null,
    larger: () => {
      const window = asLearned(active() ?? UNKNOWN).contextWindow;
      return rest().find((model) => asLearned(model).contextWindow > window) ?? null;
    },
    learn(named, sent) {
      const model = asLearned(active() ?? UNKNOWN);
      const before = Math.min(options.window ?? model.contextWindow, model.contextWindow);
      const window = Math.max(SMALLEST_LEARNED, Math.floor(named ?? sent * UNNAMED_SHARE));
      return { learned: { ...state.now.learned, [activeId()]: Math.min(before, window) } };
    },
  };
}

const UNKNOWN: ModelWindow = { id: 'unknown', contextWindow: UNKNOWN_WINDOW, maxOutput: null };
