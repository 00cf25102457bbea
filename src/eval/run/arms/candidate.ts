import { type Compaction, compact } from '../../../core/compact.ts';
import { type Model, singleSummarizer } from '../../../core/model.ts';
import type { CompactOptions } from '../../../core/options.ts';
import { askedModel, type Tally } from '../calls/asked-model.ts';
import { chainStates, optionsFor } from './chain.ts';
import type { State, Workshop } from './state.ts';

/** How precis compacts the candidate. */
export interface CandidateSettings {
  /** Model that writes summaries; null for code alone. */
  readonly compressor: Model | null;
  /** Topic that the summary gives most of its space to. @default none */
  readonly focus?: string;
  /** Headings the summary is written under. @default those of precis */
  readonly template?: readonly string[];
}

export function candidateStates(workshop: Workshop): Promise<readonly State[]> {
  const { ports, run, planned, candidate } = workshop;
  const { compressor, focus, template } = candidate;
  return chainStates(workshop, { arm: 'candidate', role: 'candidate' }, async (view) => {
    const tally: Tally = { calls: 0, usd: 0, problem: null };
    const options: CompactOptions = {
      ...optionsFor(workshop, planned.target),
      ...(focus === undefined ? {} : { focus }),
      ...(template === undefined ? {} : { template }),
      ...(compressor === null ? {} : { summarizer: singleSummarizer(asked(compressor, tally), ports.now) }),
    };
    const made = await compact(view, planned.format, options);
    return { view: made.conversation, calls: tally.calls, usd: tally.usd, invalid: tally.problem ?? refusalOf(made) };
  });

  function asked(model: Model, tally: Tally): Model {
    return askedModel({ model, asker: ports.asker, replicate: run, tally });
  }
}

function refusalOf({ outcome, receipt }: Compaction): string | null {
  return outcome === 'refused' ? `refused: ${receipt.reason}` : null;
}
