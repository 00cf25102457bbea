import type { Model } from '../../../core/model.ts';
import { type Asker, CANCELLED, OVER_BUDGET } from './asker.ts';
import { addUsd } from './price.ts';

/** The calls that one state was made with. */
export interface Tally {
  calls: number;
  usd: number | null;
  /** Why the state must not be scored; null while it may. */
  problem: string | null;
}

export interface AskedModelInput {
  readonly model: Model;
  readonly asker: Asker;
  /** The run it is asked for. */
  readonly replicate: number;
  /** Kept up to date with every call. */
  readonly tally: Tally;
}

/** A model that is asked through the asker. */
export function askedModel({ model, asker, replicate, tally }: AskedModelInput): Model {
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
          tally.problem = `the compressor failed: ${asked.failure.message}`;
          return { type: 'failed', failure: asked.failure };
        case 'deferred':
          tally.problem = 'the compressor was not asked yet';
          return { type: 'failed', failure: CANCELLED };
        case 'over-budget':
          tally.problem = OVER_BUDGET;
          return { type: 'failed', failure: { ...CANCELLED, kind: 'quota', message: OVER_BUDGET } };
      }
    },
  };
}
