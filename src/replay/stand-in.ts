import { PrecisError } from '../core/errors.ts';
import type { Bill, Block, Cache, CacheRules } from './types.ts';

/** A simple prefix cache and two rows of prices, until the faithful ones are there under the same names. */
export const allRules: readonly CacheRules[] = [
  {
    id: 'anthropic-5m',
    title: 'Anthropic, 5 minutes',
    asOf: '2026-10-31',
    mark: 'documented',
    usdPerMillionInput: 3,
    read: 0.1,
    write: 1.25,
    output: 5,
    ttlMs: 300_000,
    refreshOnHit: true,
    minTokens: 1024,
    granularity: 1,
    lookbackBlocks: 20,
    writeBreakpoints: 4,
    hitProbability: 1,
    tiers: [],
  },
  {
    id: 'openai',
    title: 'OpenAI, GPT-5.6 and later',
    asOf: '2026-10-31',
    mark: 'documented',
    usdPerMillionInput: 3,
    read: 0.1,
    write: 1.25,
    output: 6,
    ttlMs: 1_800_000,
    refreshOnHit: true,
    minTokens: 1024,
    granularity: 128,
    lookbackBlocks: null,
    writeBreakpoints: 4,
    hitProbability: 1,
    tiers: [],
  },
];

export function rulesById(id: string): CacheRules {
  const found = allRules.find((rules) => rules.id === id);
  if (found !== undefined) return found;
  const known = allRules.map((rules) => rules.id).join(', ');
  throw new PrecisError('bad-option', `Expected \`--prices\` to name any of ${known}, got \`${id}\``);
}

interface Entry {
  readonly ids: readonly string[];
  readonly tokens: readonly number[];
  readonly at: number;
}

const MOST_ENTRIES = 4;

export function createCache(rules: CacheRules, { random }: { readonly random?: () => number } = {}): Cache {
  const families = new Map<string, Entry[]>();
  const request: Cache['request'] = (blocks, { at, outputTokens, family = '', keep = true }) => {
    const total = blocks.reduce((sum, block) => sum + block.tokens, 0);
    const live = (families.get(family) ?? []).filter((entry) => rules.ttlMs === null || at - entry.at <= rules.ttlMs);
    const isFound = rules.hitProbability >= 1 || (random ?? (() => 0))() < rules.hitProbability;
    const longest = isFound ? Math.max(0, ...live.map((entry) => sharedTokens(entry, blocks))) : 0;
    const stepped = Math.floor(longest / rules.granularity) * rules.granularity;
    const read = stepped >= rules.minTokens ? stepped : 0;
    const write = keep && total >= rules.minTokens ? total - read : 0;
    if (keep && total >= rules.minTokens)
      families.set(family, [
        { ids: blocks.map(({ id }) => id), tokens: blocks.map(({ tokens }) => tokens), at },
        ...live.slice(0, MOST_ENTRIES - 1),
      ]);
    return billOf(rules, { read, write, uncached: total - read - write, output: outputTokens });
  };
  return { rules, request };
}

function sharedTokens({ ids, tokens }: Entry, blocks: readonly Block[]): number {
  let shared = 0;
  for (let index = 0; index < ids.length && ids[index] === blocks[index]?.id; index++) shared += tokens[index] ?? 0;
  return shared;
}

function billOf(rules: CacheRules, { read, write, uncached, output }: Omit<Bill, 'usd'>): Bill {
  const units = read * rules.read + write * rules.write + uncached + output * rules.output;
  return { read, write, uncached, output, usd: (units * rules.usdPerMillionInput) / 1_000_000 };
}
