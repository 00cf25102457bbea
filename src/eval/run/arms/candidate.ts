import { type Compaction, compact } from '../../../core/compact.ts';
import { type Model, singleSummarizer } from '../../../core/model.ts';
import type { CompactOptions } from '../../../core/options.ts';
import { type Tally, talliedModel } from '../calls/tallied-model.ts';
import { chainStates, optionsFor } from './chain.ts';
import type { ArmInput, State } from './state.ts';

/** How precis compacts the candidate. */
export interface CandidateSettings {
  /** Model that writes summaries; null for code alone. */
  readonly compressor: Model | null;
  /** Topic that the summary gives most of its space to. @default none */
  readonly focus?: string;
  /** Headings of the summary. @default those of precis */
  readonly template?: readonly string[];
}

export function candidateStates(armInput: ArmInput): Promise<readonly State[]> {
  const { ports, run, planned, candidate } = armInput;
  const { compressor, focus, template } = candidate;
  return chainStates(armInput, { arm: 'candidate', role: 'candidate' }, async (view) => {
    const tally: Tally = { calls: 0, usd: 0, problem: null };
    const options: CompactOptions = {
      ...optionsFor(armInput, planned.target),
      ...(focus === undefined ? {} : { focus }),
      ...(template === undefined ? {} : { template }),
      ...(compressor === null ? {} : { summarizer: singleSummarizer(asked(compressor, tally), ports.now) }),
    };
    const made = await compact(view, planned.format, options);
    return { view: made.conversation, calls: tally.calls, usd: tally.usd, invalid: tally.problem ?? refusalOf(made) };
  });

  function asked(model: Model, tally: Tally): Model {
    return talliedModel({ model, asker: ports.asker, replicate: run, tally });
  }
}

function refusalOf({ outcome, receipt }: Compaction): string | null {
  return outcome === 'refused' ? `refused: ${receipt.reason}` : null;
}
