import { PrecisError } from '../../core/errors.ts';
import type { ModelWindow } from '../../core/tokens/window.ts';
import type { FixedPart } from '../fixed-part.ts';
import type { ContextOptions } from '../options.ts';
import type { Journal } from '../timeline/journal.ts';
import type { ContextState } from '../timeline/state.ts';
import { checkModel, checkReserve } from './check-models.ts';
import { type ContextLimits, createLimits } from './context-limits.ts';
import { type Acceptance, afterAcceptance, afterRefusal } from './window-belief.ts';
import type { WindowChain } from './window-chain.ts';

/** The chain of models, and the sizes that follow from the one in use. */
export interface ContextModels extends WindowChain, ContextLimits {
  /** Returns the state after a switch to another model. A window that the host states replaces what was learned. Throws for a name that is not in the chain. */
  afterSwitch(model: string | ModelWindow): Partial<ContextState>;
  /** Returns the state after an overflow: what to believe about the window of the model in use. */
  afterOverflow(named: number | null, size: number): Pick<ContextState, 'learned'>;
  /** Returns the state after the model in use answered: no overflow is open any more, and the size that was sent is evidence of its window. */
  afterAnswer(sent: Acceptance | null): Partial<ContextState>;
}

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
      if (typeof model !== 'string') {
        checkModel(model, 'model');
        if (options.window === undefined)
          checkReserve(options.policy?.reservedOutput, model.contextWindow, `the window of ${model.id}`);
        return afterStatement(journal.state, model);
      }
      const ids = chain.all().map(({ id }) => id);
      if (ids.includes(model)) return { model };
      const text = `Expected a model of the chain (${ids.join(', ') || 'none'}) or an object with its window, got \`${model}\``;
      throw new PrecisError('bad-option', text, { model });
    },
    afterOverflow(named, size) {
      const { learned, calibration } = journal.state;
      const id = chain.activeId();
      // The provider's last count belongs to a request that it answered.
      const accepted = calibration[id]?.last?.counted ?? null;
      const refusal = { named, size, stated: chain.stated(), accepted };
      return { learned: { ...learned, [id]: afterRefusal(chain.belief(), refusal) } };
    },
    afterAnswer(sent) {
      const belief = chain.belief();
      if (belief === null || sent === null) return { overflows: 0 };
      const learned = { ...journal.state.learned, [chain.activeId()]: afterAcceptance(belief, sent) };
      return { overflows: 0, learned };
    },
  };
}

function afterStatement({ added, learned }: ContextState, model: ModelWindow): Partial<ContextState> {
  const { [model.id]: _replaced, ...others } = learned;
  return { model: model.id, added: [...added.filter(({ id }) => id !== model.id), model], learned: others };
}
