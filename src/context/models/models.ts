import { PrecisError } from '../../core/errors.ts';
import type { ModelWindow } from '../../core/tokens/window.ts';
import type { FixedPart } from '../fixed-part.ts';
import type { ContextOptions } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import type { ContextState } from '../timeline/state.ts';
import { type ContextLimits, createLimits } from './context-limits.ts';
import type { WindowChain } from './window-chain.ts';

/** The chain of models, and the sizes that follow from the one in use. */
export interface ContextModels extends WindowChain, ContextLimits {
  /** Returns the state after a switch to another model. Throws for a name that is not in the chain. */
  afterSwitch(model: string | ModelWindow): Partial<ContextState>;
  /** Returns the state after an overflow. The learned window is the one that the provider named, or a share of the size it refused. */
  afterOverflow(named: number | null, sent: number): Partial<ContextState>;
}

/** A provider that does not name its window is assumed to accept this share of the size it refused. */
const UNNAMED_SHARE = 0.9;
/** The smallest window to learn, because a window misread from an error must not make a context useless. */
const SMALLEST_LEARNED = 1_000;

export interface ModelsInput {
  readonly options: ContextOptions;
  readonly journal: Pick<Journal, 'state'>;
  readonly chain: WindowChain;
  readonly fixedPart: FixedPart;
}

export function createModels(input: ModelsInput): ContextModels {
  const { options, journal, chain } = input;
  return {
    ...chain,
    ...createLimits(input),
    afterSwitch(model) {
      const { added } = journal.state;
      if (typeof model !== 'string')
        return { model: model.id, added: [...added.filter(({ id }) => id !== model.id), model] };
      const ids = chain.all().map(({ id }) => id);
      if (ids.includes(model)) return { model };
      const text = `Expected a model of the chain (${ids.join(', ') || 'none'}) or an object with its window, got \`${model}\``;
      throw new PrecisError('bad-option', text, { model });
    },
    afterOverflow(named, sent) {
      const { contextWindow } = chain.inUse();
      const before = Math.min(options.window ?? contextWindow, contextWindow);
      const window = Math.max(SMALLEST_LEARNED, Math.floor(named ?? sent * UNNAMED_SHARE));
      return { learned: { ...journal.state.learned, [chain.activeId()]: Math.min(before, window) } };
    },
  };
}
