import { PrecisError } from '../../core/errors.ts';
import { type Limits, type LimitsInput, limitsFor, reservedOutputOf, reservingFor } from '../../core/tokens/window.ts';
import type { FixedPart } from '../fixed-part.ts';
import type { ContextOptions } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import type { WindowChain } from './window-chain.ts';

/** The sizes that follow from the models and the policy, in tokens. */
export interface ContextLimits {
  limits(): Limits;
  limitsInput(): LimitsInput;
  /** Tokens a request to the model in use may hold, even when the policy plans for the whole chain. */
  ownWindow(): number;
  /** The largest target that the window allows. */
  mostTarget(): number;
}

export interface ContextLimitsInput {
  readonly options: ContextOptions;
  readonly journal: Pick<Journal, 'state'>;
  readonly chain: WindowChain;
  readonly fixedPart: FixedPart;
}

export function createLimits({ options, journal, chain, fixedPart }: ContextLimitsInput): ContextLimits {
  const windows = (): Pick<LimitsInput, 'models' | 'window'> => {
    const isForActive = options.policy?.fit === 'active' || chain.all().length === 0;
    const learned = chain.belief()?.window;
    return {
      models: isForActive ? [chain.inUse()] : chain.all().map(chain.asLearned),
      ...(options.window === undefined ? {} : { window: Math.min(options.window, learned ?? options.window) }),
    };
  };
  /** A window learned from a provider may be too small for the sizes of the policy. Then the sizes follow from the window alone. */
  const limitsInput = (): LimitsInput => {
    const { fit: _fit, ...policy } = options.policy ?? {};
    const { tools, provider } = fixedPart.tokens();
    const whole = (input: LimitsInput): LimitsInput =>
      reservingFor({ ...input, fixedTokens: tools + provider }, fixedPart.output());
    const asked = whole({ ...policy, ...windows() });
    if (!chain.isCorrected()) return asked;
    try {
      limitsFor(asked);
      return asked;
    } catch (error) {
      if (PrecisError.is(error)) return whole(windows());
      throw error;
    }
  };
  let cached: { readonly key: string; readonly limits: Limits } | null = null;
  const limits = (): Limits => {
    const { learned, added } = journal.state;
    const key = `${chain.activeId()} ${JSON.stringify([learned, added, fixedPart.tokens(), fixedPart.output()])}`;
    if (cached?.key !== key) cached = { key, limits: limitsFor(limitsInput()) };
    return cached.limits;
  };
  return {
    limits,
    limitsInput,
    ownWindow() {
      if (options.window !== undefined) return limits().window;
      const model = chain.inUse();
      const reserved = limitsInput().reservedOutput ?? reservedOutputOf(model);
      return Math.max(0, model.contextWindow - reserved);
    },
    mostTarget: () => limits().window - 2,
  };
}
