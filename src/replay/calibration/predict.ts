import { createCache } from '../cache/cache.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { CalibrationSession } from './session.ts';
import type { UsagePair } from './usage-error.ts';

/**
 * Pairs predicted with recorded usage, request by request. Where hits are uncertain, it predicts the expected usage. The first request fills the
 * cache but is not compared, because its hits come from another session.
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

export function predictAll(sessions: readonly CalibrationSession[], rules: CacheRules): readonly UsagePair[] {
  return sessions.flatMap((session) => predict(session, rules));
}
