import { PrecisError } from '../../core/errors.ts';
import { heuristicCounter, type TokenCounter } from '../../core/tokens/counter.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import type { DecodedFixture } from '../probes/decode.ts';
import type { ProbeBank } from '../types.ts';

/** A size to compact to: in tokens, or as a share of each session, from 0 to 1. */
export type EvalTarget = { readonly tokens: number } | { readonly share: number };

/** A fixture that is ready to be evaluated. */
export interface PlannedFixture extends DecodedFixture {
  /** Its probes. */
  readonly bank: ProbeBank;
  /** Size of the session, in tokens. */
  readonly tokens: number;
  /** Size to compact to, in tokens. */
  readonly target: number;
  /** Compactions in a row. The session is cut into as many parts and compacted after each. */
  readonly passes: number;
}

/** Options of `planFixture`. */
export interface PlanOptions {
  /** Size to compact to. @default the target of the fixture, else a fifth of the session */
  readonly target?: EvalTarget;
  /** Compactions in a row. @default the last pass that a probe names, else 1 */
  readonly passes?: number;
  /** Counts the tokens of the session. @default the heuristic counter */
  readonly counter?: TokenCounter;
}

const USUAL_SHARE = 0.2;

/** Plans how small a fixture is made, and in how many compactions. Throws when it has no probes. */
export function planFixture(
  decoded: DecodedFixture,
  { target, passes, counter = heuristicCounter }: PlanOptions = {},
): PlannedFixture {
  const { fixture, bank, conversation } = decoded;
  const { file } = fixture;
  if (bank === null)
    throw new PrecisError('bad-input', `${file}: expected probes beside it, in probes.json, but there are none`, {
      file,
    });
  const tokens = createMeasure(counter).conversation(conversation);
  const named = bank.probes.flatMap(({ pass }) => pass ?? []);
  return {
    ...decoded,
    bank,
    tokens,
    target: targetOf(target ?? fixtureTarget(fixture.target), tokens),
    passes: passes ?? Math.max(1, ...named),
  };
}

function fixtureTarget(tokens: number | null): EvalTarget {
  return tokens === null ? { share: USUAL_SHARE } : { tokens };
}

function targetOf(target: EvalTarget, tokens: number): number {
  return 'tokens' in target ? target.tokens : Math.round(tokens * target.share);
}
