import { compact } from '../../../src/core/compact.ts';
import { type Model, type Summarizer, singleSummarizer } from '../../../src/core/model.ts';
import { plan } from '../../../src/core/plan/plan.ts';
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
  what: 'plan a compaction to a tenth, with tokens already counted',
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
  compaction('condense', 'compact to seven tenths by shortening old output only', CONDENSE, 'condensed'),
  compaction('fold', 'compact to a tenth', FOLD, 'folded'),
  compaction('fold-model', 'compact to a tenth with a model that answers immediately', FOLD, 'model'),
];

/** The whole way, its own counting included. */
function compaction(name: string, what: string, part: number, expected: 'condensed' | 'folded' | 'model'): Workload {
  return {
    name,
    what,
    prepare: (given) => {
      const { conversation, tokens } = historyOf(given);
      const options = { ...optionsFor(tokens, part), ...(expected === 'model' ? { summarizer: SUMMARIZER } : {}) };
      const run = async () => {
        const done = await compact(conversation, openaiChat, options);
        const found = done.receipt.writer?.kind === 'model' ? 'model' : done.outcome;
        if (found !== expected) throw new Error(`Expected the history to be ${expected}, it was ${found}`);
      };
      return { tokens, run };
    },
  };
}

function optionsFor(tokens: number, part: number): { target: number; window: number; counter: typeof o200k } {
  return { target: Math.round(tokens * part), window: tokens * 2, counter: o200k };
}

/** Lines of an answer: about as many as a capable model writes. */
const ANSWER_LINES = 50;

/** A model that costs nothing itself: it answers with lines of what it was shown, so that all that is timed is what precis makes of them. */
const QUOTING: Model = {
  id: 'bench/quoting',
  contextWindow: 200_000,
  maxOutput: null,
  prices: null,
  generate: async ({ prompt }) => {
    const lines = prompt.split('\n').filter((line) => /^\s*\w.{20,200}$/.test(line));
    const every = Math.max(1, Math.floor(lines.length / ANSWER_LINES));
    const said = lines.filter((_, at) => at % every === 0).slice(0, ANSWER_LINES);
    const text = ['## Progress', '### Done', ...said.map((line) => `- ${line.trim()}`)].join('\n');
    return {
      type: 'text',
      text,
      finish: 'stop',
      usage: { inputTokens: null, outputTokens: null, cachedInputTokens: null },
    };
  },
};
const SUMMARIZER: Summarizer = singleSummarizer(QUOTING);
