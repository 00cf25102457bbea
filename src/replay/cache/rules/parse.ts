import { z } from 'zod';
import { PrecisError } from '../../../core/errors.ts';
import type { CacheRules } from './cache-rules.ts';
import { cacheRules } from './data.ts';

const MARK = z.enum(['documented', 'reported', 'assumed']);
const MULTIPLE = z.number().min(0).max(1_000);
const TOKENS = z.int().min(0);
const FIELDS = {
  id: z.string().regex(/^[\w.:@/-]{1,80}$/),
  title: z.string().min(1),
  asOf: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  mark: MARK,
  marks: z.record(z.string(), MARK).optional(),
  note: z.string().optional(),
  usdPerMillionInput: z.number().min(0).max(100_000),
  read: MULTIPLE,
  write: MULTIPLE,
  output: MULTIPLE,
  ttlMs: z.number().min(0).nullable(),
  refreshOnHit: z.boolean(),
  minTokens: TOKENS,
  granularity: z.int().min(1),
  lookbackBlocks: z.int().min(1).nullable(),
  writeBreakpoints: TOKENS.nullable(),
  hitProbability: z.number().min(0).max(1),
  tiers: z.array(z.strictObject({ aboveTokens: TOKENS, input: MULTIPLE, output: MULTIPLE })),
};
const WHOLE = z.strictObject(FIELDS);
const PART = z.strictObject({ ...FIELDS, from: z.string() }).partial();

const EXPECTED: Readonly<Record<string, string>> = {
  id: 'a name of letters, digits, dots, dashes and slashes',
  from: 'the id of the rules to start from',
  title: 'a text',
  asOf: 'a day such as "2026-10-31"',
  mark: '"documented", "reported" or "assumed"',
  marks: 'names of fields with "documented", "reported" or "assumed"',
  note: 'a text',
  usdPerMillionInput: 'US dollars for a million tokens of input, 0 or more',
  read: 'a multiple of the price of input, 0 or more',
  write: 'a multiple of the price of input, 0 or more',
  output: 'a multiple of the price of input, 0 or more',
  ttlMs: 'milliseconds, 0 or more, or null for ever',
  refreshOnHit: 'true or false',
  minTokens: 'a whole number of tokens, 0 or more',
  granularity: 'a whole number of tokens, 1 or more',
  lookbackBlocks: 'a whole number of blocks, 1 or more, or null for all',
  writeBreakpoints: 'a whole number, 0 or more, or null where nothing is marked',
  hitProbability: 'a number from 0 to 1',
  tiers: 'a list such as [{"aboveTokens": 272000, "input": 2, "output": 1.5}]',
};

/**
 * Checks cache rules that you wrote as JSON: one object or a list. An object with `from`, or with the id of known rules, needs
 * only the fields that differ; any other must be complete. `file` is the name that error messages begin with.
 */
export function rulesFrom(value: unknown, file = 'rules'): readonly CacheRules[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const read: CacheRules[] = [];
  for (const [index, item] of list.entries()) {
    const place = Array.isArray(value) ? `[${index}].` : '';
    const part = PART.safeParse(item);
    if (!part.success) throw wrong(file, sentenceOf(part.error.issues[0], item, place));
    const { from, ...given } = part.data;
    const base = [...read, ...cacheRules].find((rules) => rules.id === (from ?? given.id));
    if (from !== undefined && base === undefined)
      throw wrong(file, `expected \`${place}from\` to be ${EXPECTED['from']}, got \`${JSON.stringify(from)}\``);
    const whole = WHOLE.safeParse({ ...base, ...given });
    if (!whole.success) throw wrong(file, sentenceOf(whole.error.issues[0], item, place));
    read.push(whole.data as CacheRules);
  }
  return read;
}

function sentenceOf(issue: z.core.$ZodIssue | undefined, item: unknown, place: string): string {
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0)
    return `unknown field \`${place}${issue.keys[0]}\`; known are ${Object.keys(EXPECTED).join(', ')}`;
  const [field] = issue?.path ?? [];
  if (typeof field !== 'string') return `expected an object such as {"from": "anthropic-5m", "usdPerMillionInput": 3}`;
  const value = (item as Readonly<Record<string, unknown>>)[field];
  const got = value === undefined ? 'nothing' : `\`${JSON.stringify(value).slice(0, 80)}\``;
  return `expected \`${place}${field}\` to be ${EXPECTED[field]}, got ${got}`;
}

function wrong(file: string, sentence: string): PrecisError {
  return new PrecisError('bad-input', `${file}: ${sentence}`);
}
