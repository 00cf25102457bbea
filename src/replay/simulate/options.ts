import type { SoundnessRules } from '../../core/conversation/sound.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { Policy } from '../policies/policy.ts';

/** Conditions of a replay that are the same for every policy. */
export interface ReplayConditions {
  /** Tokens that a request may hold. */
  readonly window: number;
  /** Seed of the chance, for providers whose cache does not always hit. @default 1 */
  readonly seed?: number;
  /** Counts the tokens of text that policies write. The factor of the trace is applied to it. @default `heuristicCounter.count` */
  readonly count?: (text: string) => number;
  /** The rules of the session's wire format, which check every view of policies that run the engine. @default every view is sound */
  readonly soundness?: SoundnessRules;
}

/** Options of `simulate`. */
export interface SimulateOptions extends ReplayConditions {
  /** The policy to replay. */
  readonly policy: Policy;
  /** Prices and cache rules of the provider. */
  readonly rules: CacheRules;
}
