/**
 * How well the rules predict what a provider really charged. Three things may be fitted, since no provider tells them exactly:
 * how often an entry is found, how long it really lives, and in which steps it is matched. They are fitted on one half of the
 * sessions, and the error is that of the other half.
 */

import type { Block, CacheRules, RecordedUsage, RequestDetails } from '../types.ts';
import { createCache } from './cache.ts';
import { type ErrorOf, sessionCostErrorOf, type UsageError, type UsagePair, usageErrorOf } from './usage-error.ts';

export interface CalibrationRequest extends RequestDetails {
  readonly blocks: readonly Block[];
  /** Null where the log says nothing: the request still fills the cache. */
  readonly recorded: RecordedUsage | null;
}

/** A session as it was really sent. */
export interface CalibrationSession {
  readonly name: string;
  readonly requests: readonly CalibrationRequest[];
}

export interface SessionError {
  readonly session: string;
  /** True when the fit has not seen it. */
  readonly isHeldOut: boolean;
  /** With the rules as given, and as fitted. */
  readonly given: UsageError;
  readonly fitted: UsageError;
}

export interface Fit {
  readonly hitProbability: number;
  readonly ttlMs: number | null;
  readonly granularity: number;
}

export interface Calibration {
  /** The rules with what was fitted. */
  readonly rules: CacheRules;
  /** Null when there were too few sessions to hold one out. */
  readonly fit: Fit | null;
  readonly sessions: readonly SessionError[];
  /** Over all sessions with the rules as given, and over the held-out ones as fitted; the same when nothing was fitted. */
  readonly given: UsageError;
  readonly heldOut: UsageError;
  /** Of the price of whole held-out sessions. */
  readonly sessionCost: ErrorOf;
  readonly claim: MoneyClaim;
}

/** Whether money may be spoken of. */
export interface MoneyClaim {
  readonly mayClaim: boolean;
  /** The larger of the errors in tokens read, request by request, and in the price of sessions; null when there is nothing to divide by. */
  readonly error: number | null;
  readonly sentence: string;
}

export interface ClaimBasis {
  readonly requests: number;
  readonly read: ErrorOf;
  readonly sessionCost: ErrorOf;
  readonly sessions: number;
}

/** Above this error a figure in dollars would say more than is known. */
export const MAX_ERROR = 0.1;

const MINUTE = 60_000;
/** Lifetimes to try: what providers document or are reported to do. */
const LIFETIMES: readonly (number | null)[] = [1, 3, 5, 10, 15, 30, 60, 360, 1_440].map((minutes) => minutes * MINUTE);
/** Steps to try: exact, blocks of inference servers, OpenAI's. */
const STEPS: readonly number[] = [1, 16, 64, 128, 256, 1_024];
/** An error must fall by so much before another value is believed. */
const MIN_GAIN = 0.002;
/** Hits are taken as certain unless so many of the tokens that should have been read were not. */
const MIN_MISSES = 0.02;

/** Of the prompt before, so much must have been read to be sure that it was not just the system prompt. */
const HIT_SHARE = 0.8;

/** Predicts the usage of sessions of one provider, and fits the rules where there are two sessions or more. */
export function calibrate(sessions: readonly CalibrationSession[], rules: CacheRules): Calibration {
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

/**
 * What the rules predict beside what was recorded. Where hits are not certain, what can be expected. The first request fills the cache
 * but is not compared: what it finds there, another session left.
 */
export function predict({ requests }: CalibrationSession, rules: CacheRules): readonly UsagePair[] {
  const cache = createCache({ ...rules, hitProbability: 1 });
  const pairs: UsagePair[] = [];
  for (const [index, { blocks, recorded, ...details }] of requests.entries()) {
    const { read, write, uncached } = cache.request(blocks, details);
    if (recorded === null || index === 0) continue;
    const missed = read * (1 - rules.hitProbability);
    const isWritten = rules.write !== 1 && details.keep !== false;
    const predicted = isWritten
      ? { read: read - missed, write: write + missed, uncached }
      : { read: read - missed, write, uncached: uncached + missed };
    pairs.push({ predicted, recorded });
  }
  return pairs;
}

/**
 * The longest pause after which a log shows a hit, in milliseconds; 0 when there was none. It tells which lifetime a client asked for:
 * above five minutes it cannot have been the shorter one of Anthropic.
 */
export function longestLiveGapMs({ requests }: CalibrationSession): number {
  let longest = 0;
  for (const [index, { at, recorded }] of requests.entries()) {
    const before = requests[index - 1];
    if (recorded === null || before === undefined || before.recorded === null) continue;
    const isHit = recorded.cachedInputTokens >= HIT_SHARE * before.recorded.inputTokens;
    if (isHit) longest = Math.max(longest, at - before.at);
  }
  return longest;
}

/** Refuses to speak of money where the error is too large, in a sentence for the report. */
export function moneyClaimOf({ requests, read, sessionCost, sessions }: ClaimBasis): MoneyClaim {
  const over = `over ${sessions} session${sessions === 1 ? '' : 's'}`;
  if (requests === 0) {
    const sentence = 'No recorded cache usage to compare with: money is an estimate by the rules alone.';
    return { mayClaim: false, error: null, sentence };
  }
  if (read.wape === null || sessionCost.wape === null) {
    const sentence = `Cache reads are predicted where the log has none ${over}: tokens are reported, money is not.`;
    return { mayClaim: false, error: null, sentence };
  }
  const error = Math.max(read.wape, sessionCost.wape);
  const found = `Predicted and recorded cache usage differ by ${percent(error)} ${over}`;
  if (error <= MAX_ERROR) return { mayClaim: true, error, sentence: `${found}.` };
  const sentence = `${found}, more than ${percent(MAX_ERROR)}: tokens are reported, money is not.`;
  return { mayClaim: false, error, sentence };
}

/** One after the other: lifetime, steps, then hits, which take up what is left. */
function fitRules(sessions: readonly CalibrationSession[], rules: CacheRules): Fit {
  const sure = { ...rules, hitProbability: 1 };
  const ttlMs = bestOf(sessions, [rules.ttlMs, ...LIFETIMES], (value) => ({ ...sure, ttlMs: value }));
  const granularity = bestOf(sessions, [rules.granularity, ...STEPS], (value) => ({
    ...sure,
    ttlMs,
    granularity: value,
  }));
  const { bias } = usageErrorOf(rules, predictAll(sessions, { ...sure, ttlMs, granularity })).read;
  // The sums should agree: the value with the smallest absolute error would be 1 wherever more than half are hits.
  const found = bias === null ? 1 : 1 / (1 + bias);
  const hitProbability = found > 1 - MIN_MISSES ? 1 : Math.max(0, Math.round(found * 1000) / 1000);
  return { hitProbability, ttlMs, granularity };
}

/** The value with the smallest error in tokens read. The first, which is the given one, stays unless another is clearly better. */
function bestOf<Value>(
  sessions: readonly CalibrationSession[],
  values: readonly [Value, ...Value[]],
  rulesWith: (value: Value) => CacheRules,
): Value {
  let [best] = values;
  let lowest = Number.POSITIVE_INFINITY;
  for (const value of new Set(values)) {
    const candidate = rulesWith(value);
    const { wape } = usageErrorOf(candidate, predictAll(sessions, candidate)).read;
    if (wape === null || wape >= lowest - MIN_GAIN) continue;
    best = value;
    lowest = wape;
  }
  return best;
}

function predictAll(sessions: readonly CalibrationSession[], rules: CacheRules): readonly UsagePair[] {
  return sessions.flatMap((session) => predict(session, rules));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
