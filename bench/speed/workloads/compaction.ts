import { type Compaction, compact } from '../../../src/core/compact.ts';
import { plan } from '../../../src/core/policy/plan.ts';
import { createMeasure } from '../../../src/core/tokens/measure.ts';
import { limitsFor } from '../../../src/core/tokens/window.ts';
import { openaiChat } from '../../../src/formats/index.ts';
import { o200k } from '../../../src/models/o200k.ts';
import type { Workload } from '../workload.ts';
import { historyOf } from './history.ts';

/** Parts of the size that a compaction is to reach. */
const FOLD = 0.1;
const CONDENSE = 0.7;

const planning: Workload = {
  name: 'plan',
  what: 'decide what to do to reach a tenth, tokens already counted',
  prepare: (given) => {
    const { conversation, tokens } = historyOf(given);
    const measure = createMeasure(o200k);
    measure.conversation(conversation);
    const { messages } = conversation;
    const limits = limitsFor(optionsFor(tokens, FOLD));
    const run = () =>
      plan({ view: messages, history: messages, measure, limits, force: true, openReasoning: 'refuse' });
    if (run().type !== 'compact') throw new Error('The plan is not to compact, so there is nothing to time');
    return { tokens, run };
  },
};

export const compactionWorkloads: readonly Workload[] = [
  planning,
  compaction('condense', 'compact by shortening old output alone, to seven tenths', CONDENSE, 'condensed'),
  compaction('fold', 'compact to a tenth', FOLD, 'folded'),
];

/** The whole way, its own counting included. */
function compaction(name: string, what: string, part: number, outcome: Compaction['outcome']): Workload {
  return {
    name,
    what,
    prepare: (given) => {
      const { conversation, tokens } = historyOf(given);
      const options = optionsFor(tokens, part);
      const run = async () => {
        const done = await compact(conversation, openaiChat, options);
        if (done.outcome !== outcome) throw new Error(`Expected the history to be ${outcome}, it was ${done.outcome}`);
      };
      return { tokens, run };
    },
  };
}

function optionsFor(tokens: number, part: number): { target: number; window: number; counter: typeof o200k } {
  return { target: Math.round(tokens * part), window: tokens * 2, counter: o200k };
}
