import { z } from 'zod';
import { PrecisError } from '../../core/errors.ts';
import { addressIn, type Config } from './config.ts';

const NAME = z.string().trim().min(1);
const SCHEMA = z.strictObject({
  $schema: z.string().optional(),
  model: NAME.optional(),
  fallbacks: z.array(NAME).optional(),
  baseURL: z
    .string()
    .refine((text) => addressIn(text) !== null)
    .optional(),
  template: z.array(NAME).min(1).optional(),
  target: z.int().min(1).optional(),
  window: z.int().min(16).optional(),
});

const EXPECTED: Readonly<Record<string, string>> = {
  $schema: 'a string',
  model: 'the name of a model such as "anthropic/claude-haiku-4-5"',
  fallbacks: 'a list of model names',
  baseURL: 'an http address without a password in it',
  template: 'a list of headings such as ["Goal", "Risks"]',
  target: 'a whole number of tokens, 1 or more',
  window: 'a whole number of tokens, 16 or more',
};

/** Reads the text of a configuration. Throws a `PrecisError` that names the file and the field. */
export function parseConfig(text: string, file: string): Config {
  const value = parseJson(text, file);
  const parsed = SCHEMA.safeParse(value);
  if (parsed.success) {
    const { $schema: _, ...config } = parsed.data;
    return config;
  }
  throw new PrecisError('bad-input', `${file}: ${issueText(parsed.error.issues[0], value)}`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '')?.[0];
    throw new PrecisError('bad-input', `${file}: expected JSON${place === undefined ? '' : ` ${place}`}`);
  }
}

function issueText(issue: z.core.$ZodIssue | undefined, value: unknown): string {
  const [field] = issue?.path ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(EXPECTED).slice(1).join(', ');
    const hint = issue.keys.some((key) => /key|token|secret/i.test(key)) ? '; keys belong in the environment' : '';
    return `unknown field \`${issue.keys[0]}\`; known fields are ${known}${hint}`;
  }
  if (typeof field !== 'string') return 'expected an object such as {"model": "anthropic/claude-haiku-4-5"}';
  const place = (issue?.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : String(step))).join('');
  const expected = place === field ? EXPECTED[field] : field === 'template' ? 'a heading in words' : EXPECTED['model'];
  return `expected \`${place}\` to be ${expected}, got ${valueText(issue?.path ?? [], value)}`;
}

function valueText(path: readonly PropertyKey[], value: unknown): string {
  let at: unknown = value;
  for (const step of path) at = (at as Readonly<Record<PropertyKey, unknown>>)[step];
  // An address may hold a password.
  return path[0] === 'baseURL' ? 'another value' : `\`${JSON.stringify(at).slice(0, 60)}\``;
}
