import { PrecisError } from '../../../core/errors.ts';
import type { CacheRules } from './cache-rules.ts';
import { cacheRules } from './data.ts';

/** Returns the rules with this id: your own first, then those that come with precis. Throws a `PrecisError` for an unknown id. */
export function rulesById(id: string, own: readonly CacheRules[] = []): CacheRules {
  const all = [...own, ...cacheRules];
  const found = all.find((rules) => rules.id === id);
  if (found !== undefined) return found;
  const known = [...new Set(all.map((rules) => rules.id))].join(', ');
  throw new PrecisError('bad-option', `Expected the id of cache rules, got \`${id}\`; known are ${known}`);
}
