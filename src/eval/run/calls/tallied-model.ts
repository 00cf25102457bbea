import type { Model } from '../../../core/model.ts';
import { type Asker, CANCELLED, OVER_BUDGET } from './asker.ts';
import { addUsd } from './price.ts';

const COMPRESSOR = 'the compressor';

/** Counts the calls that made one state. */
export interface Tally {
  calls: number;
  usd: number | null;
  /** Why the state must not be scored; null when nothing prevents it. */
  problem: string | null;
}

export interface TalliedModelInput {
  readonly model: Model;
  readonly asker: Asker;
  /** The run that asks. */
  readonly replicate: number;
  /** Updated with every call. */
  readonly tally: Tally;
}

/** Wraps a model so that the asker makes its calls and the tally counts them. */
export function talliedModel({ model, asker, replicate, tally }: TalliedModelInput): Model {
  const attempts = new Map<string, number>();
  return {
    ...model,
    async generate({ instructions, prompt, onText }) {
      const text = `${instructions}\u0000${prompt}`;
      const attempt = attempts.get(text) ?? 0;
      attempts.set(text, attempt + 1);
      const asked = await asker({
        role: 'compress',
        model,
        request: { instructions, prompt, ...(onText === undefined ? {} : { onText }) },
        replicate,
        attempt,
      });
      switch (asked.type) {
        case 'answered': {
          const { finish, usage } = asked;
          tally.calls++;
          tally.usd = addUsd(tally.usd, asked.usd);
          return { type: 'text', text: asked.text, finish, usage };
        }
        case 'failed':
          tally.problem = `${COMPRESSOR} failed: ${asked.failure.message}`;
          return { type: 'failed', failure: asked.failure };
        case 'deferred':
          tally.problem = `${COMPRESSOR} was not asked yet`;
          return { type: 'failed', failure: CANCELLED };
        case 'over-budget':
          tally.problem = OVER_BUDGET;
          return { type: 'failed', failure: { ...CANCELLED, kind: 'quota', message: OVER_BUDGET } };
      }
    },
  };
}

/** Says whether a state is invalid only because of its calls, so that asking again may help. Stored results hold the problem as text. */
export function isCallProblem(problem: string): boolean {
  return problem === OVER_BUDGET || problem.startsWith(COMPRESSOR);
}
