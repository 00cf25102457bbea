/**
 * Prices and matching rules of the providers' prompt caches, by class of models. The input price is that of one model of the class; callers that
 * know the model apply its own prices with `withPrices`. Check the provider's page before you promise money.
 */
import type { CacheRules } from './cache-rules.ts';

const AS_OF = '2026-10-31';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Matching at Anthropic: only marked blocks, and each mark looks back over 20 places, itself included. */
const ANTHROPIC = {
  asOf: AS_OF,
  mark: 'documented',
  write: 1.25,
  output: 5,
  ttlMs: 5 * MINUTE,
  refreshOnHit: true,
  granularity: 1,
  lookbackBlocks: 20,
  writeBreakpoints: 4,
  hitProbability: 1,
  tiers: [],
} as const;

const ANTHROPIC_ROWS: readonly CacheRules[] = [
  {
    ...ANTHROPIC,
    id: 'anthropic-5m',
    title: 'Anthropic, most models',
    usdPerMillionInput: 2,
    read: 0.1,
    minTokens: 1_024,
  },
  {
    ...ANTHROPIC,
    id: 'anthropic-opus-5-5m',
    title: 'Anthropic Opus 5, Fable 5',
    usdPerMillionInput: 5,
    read: 0.1,
    minTokens: 512,
  },
  {
    ...ANTHROPIC,
    id: 'anthropic-opus-4.7-5m',
    title: 'Anthropic Opus 4.7',
    marks: { minTokens: 'reported' },
    note: 'Smallest prefix: 2,048 measured, 4,096 listed for another host.',
    usdPerMillionInput: 5,
    read: 0.1,
    minTokens: 2_048,
  },
  {
    ...ANTHROPIC,
    id: 'anthropic-opus-4.5-5m',
    title: 'Anthropic Opus 4.5 and 4.6, Haiku 4.5',
    usdPerMillionInput: 5,
    read: 0.1,
    minTokens: 4_096,
  },
  {
    ...ANTHROPIC,
    id: 'anthropic-opus-5.5-5m',
    title: 'Anthropic Opus 5.5',
    marks: { minTokens: 'assumed' },
    usdPerMillionInput: 4,
    read: 0.05,
    minTokens: 1_024,
  },
  {
    ...ANTHROPIC,
    id: 'anthropic-fable-5.1-5m',
    title: 'Anthropic Fable 5.1, Mythos 5.1',
    marks: { minTokens: 'reported' },
    usdPerMillionInput: 10,
    read: 0.025,
    minTokens: 512,
  },
  {
    ...ANTHROPIC,
    id: 'anthropic-sonnet-5.5-5m',
    title: 'Anthropic Sonnet 5.5',
    marks: { read: 'reported', minTokens: 'assumed' },
    note: 'Read price: 0.10 at launch, 0.05 in a later reading by others.',
    usdPerMillionInput: 2,
    read: 0.05,
    minTokens: 1_024,
  },
  {
    ...ANTHROPIC,
    id: 'anthropic-haiku-5.5-5m',
    title: 'Anthropic Haiku 5.5',
    mark: 'reported',
    marks: { write: 'assumed', minTokens: 'assumed' },
    usdPerMillionInput: 0.1,
    read: 0.1,
    minTokens: 1_024,
    tiers: [{ aboveTokens: 100_000, input: 5, output: 5 }],
  },
];

/** Makes the same rules with the longer lifetime, which every request has to ask for. */
function forAnHour(rules: CacheRules): CacheRules {
  return {
    ...rules,
    id: rules.id.replace(/5m$/, '1h'),
    title: `${rules.title}, 1 hour`,
    write: 2,
    ttlMs: HOUR,
  };
}

/** OpenAI before GPT-5.6: every prefix is kept in steps without marks, and writing is free. Entries expire after 5 to 10 idle minutes. */
const OPENAI_FREE_WRITES = {
  asOf: AS_OF,
  mark: 'documented',
  marks: { ttlMs: 'assumed' },
  note: 'Lifetime: 5 to 10 idle minutes are documented, 5 are taken; 24 hours can be asked for.',
  write: 1,
  ttlMs: 5 * MINUTE,
  refreshOnHit: true,
  minTokens: 1_024,
  granularity: 128,
  lookbackBlocks: null,
  writeBreakpoints: null,
  hitProbability: 1,
  tiers: [],
} as const;

/** OpenAI from GPT-5.6 on: exact matches at a marked or implied breakpoint, 30 minutes, and writing costs extra. */
const OPENAI_PAID_WRITES = {
  asOf: AS_OF,
  mark: 'documented',
  note: 'One breakpoint is implied near the latest message; clients that mark none themselves have `writeBreakpoints` 1.',
  write: 1.25,
  ttlMs: 30 * MINUTE,
  refreshOnHit: true,
  minTokens: 1_024,
  granularity: 1,
  lookbackBlocks: null,
  writeBreakpoints: 4,
  hitProbability: 1,
} as const;

/** Above this size the whole request pays more. */
const OPENAI_LONG = [{ aboveTokens: 272_000, input: 2, output: 1.5 }] as const;

const OPENAI_ROWS: readonly CacheRules[] = [
  {
    ...OPENAI_PAID_WRITES,
    id: 'openai-5.6',
    title: 'OpenAI GPT-5.6',
    marks: { tiers: 'reported' },
    usdPerMillionInput: 2,
    read: 0.1,
    output: 6,
    tiers: OPENAI_LONG,
  },
  {
    ...OPENAI_PAID_WRITES,
    id: 'openai-6',
    title: 'OpenAI GPT-6',
    marks: { tiers: 'reported' },
    usdPerMillionInput: 2,
    read: 0.1,
    output: 5,
    tiers: OPENAI_LONG,
  },
  {
    ...OPENAI_PAID_WRITES,
    id: 'openai-6.1',
    title: 'OpenAI GPT-6.1',
    marks: { tiers: 'reported', read: 'reported' },
    usdPerMillionInput: 2,
    read: 0.05,
    output: 5,
    tiers: OPENAI_LONG,
  },
  {
    ...OPENAI_FREE_WRITES,
    id: 'openai-5.5',
    title: 'OpenAI GPT-5.4 and 5.5',
    marks: { ttlMs: 'assumed', tiers: 'reported' },
    usdPerMillionInput: 5,
    read: 0.1,
    output: 6,
    tiers: OPENAI_LONG,
  },
  {
    ...OPENAI_FREE_WRITES,
    id: 'openai-5',
    title: 'OpenAI GPT-5 to 5.3',
    usdPerMillionInput: 1.25,
    read: 0.1,
    output: 8,
  },
  {
    ...OPENAI_FREE_WRITES,
    id: 'openai-4.1',
    title: 'OpenAI GPT-4.1, o3, o4-mini',
    mark: 'reported',
    usdPerMillionInput: 2,
    read: 0.25,
    output: 4,
  },
  { ...OPENAI_FREE_WRITES, id: 'openai-4o', title: 'OpenAI GPT-4o', usdPerMillionInput: 2.5, read: 0.5, output: 4 },
];

/** Providers that keep prefixes without marks, in unknown steps. */
const IMPLICIT = {
  asOf: AS_OF,
  write: 1,
  refreshOnHit: true,
  granularity: 1,
  lookbackBlocks: null,
  writeBreakpoints: null,
  hitProbability: 1,
  tiers: [],
} as const;

/** Gemini does not guarantee hits, and their frequency is unknown. Nine in ten is a guess, for calibration to replace. */
const GEMINI = {
  ...IMPLICIT,
  mark: 'documented',
  marks: { ttlMs: 'assumed', hitProbability: 'assumed', granularity: 'assumed' },
  note: 'Best effort: neither lifetime nor hits are promised.',
  read: 0.1,
  ttlMs: 5 * MINUTE,
  hitProbability: 0.9,
} as const;

/** DeepSeek matches only whole prefixes that were sent before, so only ends of requests count. The first block represents the part that all requests share. */
const DEEPSEEK = {
  ...IMPLICIT,
  mark: 'documented',
  marks: { ttlMs: 'reported', minTokens: 'assumed', writeBreakpoints: 'assumed' },
  note: 'Peak hours, at twice the price on every line, are not modelled.',
  ttlMs: HOUR,
  minTokens: 64,
  writeBreakpoints: 2,
} as const;

const OTHER_ROWS: readonly CacheRules[] = [
  {
    ...GEMINI,
    id: 'gemini-2.5',
    title: 'Gemini 2.5, implicit',
    usdPerMillionInput: 1.25,
    output: 8,
    minTokens: 2_048,
    tiers: [{ aboveTokens: 200_000, input: 2, output: 1.5 }],
  },
  {
    ...GEMINI,
    id: 'gemini-3',
    title: 'Gemini 3 and 4, implicit',
    usdPerMillionInput: 2,
    output: 6,
    minTokens: 4_096,
    tiers: [{ aboveTokens: 200_000, input: 2, output: 1.5 }],
  },
  { ...DEEPSEEK, id: 'deepseek-flash', title: 'DeepSeek Flash', usdPerMillionInput: 0.3, read: 0.02, output: 4 },
  { ...DEEPSEEK, id: 'deepseek-v4-pro', title: 'DeepSeek V4 Pro', usdPerMillionInput: 1.32, read: 0.033, output: 3 },
  {
    ...IMPLICIT,
    id: 'mistral',
    title: 'Mistral',
    mark: 'documented',
    marks: { write: 'assumed', ttlMs: 'assumed', minTokens: 'assumed', granularity: 'assumed' },
    usdPerMillionInput: 0.7,
    read: 0.1,
    output: 3,
    ttlMs: 5 * MINUTE,
    minTokens: 1_024,
  },
  {
    ...IMPLICIT,
    id: 'xai-4',
    title: 'xAI Grok 4',
    mark: 'reported',
    marks: { write: 'assumed', ttlMs: 'assumed', minTokens: 'assumed', granularity: 'assumed' },
    note: 'Read price: 0.15 to 0.25 by model.',
    usdPerMillionInput: 2,
    read: 0.25,
    output: 3,
    ttlMs: 5 * MINUTE,
    minTokens: 1_024,
    tiers: [{ aboveTokens: 200_000, input: 2, output: 2 }],
  },
  {
    ...IMPLICIT,
    id: 'none',
    title: 'No cache',
    mark: 'assumed',
    note: 'The price is a dollar a million tokens, so that sizes can be compared.',
    usdPerMillionInput: 1,
    read: 1,
    output: 5,
    ttlMs: 0,
    minTokens: 0,
    hitProbability: 0,
  },
];

/** All cache rules that come with precis, the most used of each provider first. */
export const cacheRules: readonly CacheRules[] = [
  ...ANTHROPIC_ROWS,
  ...ANTHROPIC_ROWS.map(forAnHour),
  ...OPENAI_ROWS,
  ...OTHER_ROWS,
];
