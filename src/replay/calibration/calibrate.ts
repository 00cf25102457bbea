import type { CacheRules } from '../cache/rules/cache-rules.ts';
import { fitRules, type RulesFit } from './fit.ts';
import { type MoneyClaim, moneyClaimOf } from './money-claim.ts';
import { predict, predictAll } from './predict.ts';
import type { CalibrationSession } from './session.ts';
import { type PredictionError, sessionCostErrorOf, type UsageError, usageErrorOf } from './usage-error.ts';

/** How well cache rules predict a provider's recorded usage. */
export interface RulesCalibration {
  /** The rules with the fitted values. */
  readonly rules: CacheRules;
  /** The fitted values; null when there were too few sessions to hold one out. */
  readonly fit: RulesFit | null;
  /** Errors of each session. */
  readonly sessions: readonly SessionError[];
  /** Error over all sessions with the rules as given. */
  readonly given: UsageError;
  /** Error over the held-out sessions with the fitted rules; the same as `given` when nothing was fitted. */
  readonly heldOut: UsageError;
  /** Error in the price of whole held-out sessions. */
  readonly sessionCost: PredictionError;
  /** Whether a report may state money. */
  readonly claim: MoneyClaim;
}

/** Errors of one session. */
export interface SessionError {
  /** Name of the session. */
  readonly session: string;
  /** True when the session was not used for the fit. */
  readonly isHeldOut: boolean;
  /** Error with the rules as given. */
  readonly given: UsageError;
  /** Error with the fitted rules. */
  readonly fitted: UsageError;
}

/**
 * Predicts the usage of one provider's sessions and compares it with the recorded usage. With two sessions or more, it also fits the rules that
 * no provider documents exactly. It fits them on every other session, and tests the fit on the rest.
 */
export function calibrateRules(sessions: readonly CalibrationSession[], rules: CacheRules): RulesCalibration {
  const recorded = sessions.filter(({ requests }) => requests.some((request) => request.recorded !== null));
  const seen = recorded.filter((_, index) => index % 2 === 0);
  const heldOut = recorded.filter((_, index) => index % 2 === 1);
  const fit = heldOut.length === 0 ? null : fitRules(seen, rules);
  const fitted = fit === null ? rules : { ...rules, ...fit };
  const errors = recorded.map((session, index) => ({
    session: session.name,
    isHeldOut: fit !== null && index % 2 === 1,
    given: usageErrorOf(rules, predict(session, rules)),
    fitted: usageErrorOf(fitted, predict(session, fitted)),
  }));
  const given = usageErrorOf(rules, predictAll(recorded, rules));
  const judged = fit === null ? recorded : heldOut;
  const error = fit === null ? given : usageErrorOf(fitted, predictAll(judged, fitted));
  const sessionCost = sessionCostErrorOf(
    fitted,
    judged.map((session) => predict(session, fitted)),
  );
  const claim = moneyClaimOf({ requests: error.requests, read: error.read, sessionCost, sessions: judged.length });
  return { rules: fitted, fit, sessions: errors, given, heldOut: error, sessionCost, claim };
}
