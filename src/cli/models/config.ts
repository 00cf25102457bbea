import { z } from 'zod';
import { PrecisError } from '../../core/errors.ts';
import { baseURLOf, isLoopback } from '../../models/base-url.ts';
import { type Environment, firstSet } from '../../models/providers.ts';
import type { World } from '../world.ts';

/** What a project keeps in `precis.config.json`. Keys of providers belong in the environment. */
export interface Config {
  /** Name of the model that writes summaries, e.g. `anthropic/claude-haiku-4-5`. */
  readonly model?: string | undefined;
  /** Names of models that are asked when it fails, in order. */
  readonly fallbacks?: readonly string[] | undefined;
  /** Address of an OpenAI-compatible server, for models named `compatible/…`. */
  readonly baseURL?: string | undefined;
  /** Headings the summary is written under, in order. */
  readonly template?: readonly string[] | undefined;
  /** Size of the result, in tokens. */
  readonly target?: number | undefined;
  /** Context window to plan for, in tokens. */
  readonly window?: number | undefined;
}

export interface FoundConfig {
  readonly file: string;
  readonly config: Config;
  /** True when the user named the file, false when it just lay there. */
  readonly isNamed: boolean;
}

export const CONFIG_FILE = 'precis.config.json';

const NAME = z.string().trim().min(1);
const SCHEMA = z.strictObject({
  $schema: z.string().optional(),
  model: NAME.optional(),
  fallbacks: z.array(NAME).optional(),
  baseURL: z.string().refine(isAddress).optional(),
  template: z.array(NAME).min(1).optional(),
  target: z.int().min(1).optional(),
  window: z.int().min(16).optional(),
});

const EXPECTED: Readonly<Record<string, string>> = {
  $schema: 'a text',
  model: 'the name of a model such as "anthropic/claude-haiku-4-5"',
  fallbacks: 'a list of names of models',
  baseURL: 'an http address without a password in it',
  template: 'a list of headings such as ["Goal", "Risks"]',
  target: 'a whole number of tokens, 1 or more',
  window: 'a whole number of tokens, 16 or more',
};

/** The configuration in this file, if there is one. A file that was named must be there. */
export async function loadConfig(world: Pick<World, 'kindOf' | 'read'>, path?: string): Promise<FoundConfig | null> {
  const file = path ?? CONFIG_FILE;
  if ((await world.kindOf(file)) !== 'file') {
    if (path === undefined) return null;
    throw new PrecisError('bad-option', `expected \`--config\` to name a file, got \`${path}\``);
  }
  return { file, config: parseConfig(await world.read(file), file), isNamed: path !== undefined };
}

/** Reads the text of a configuration. Throws a `PrecisError` that names the file and the field. */
export function parseConfig(text: string, file: string): Config {
  const value = jsonOf(text, file);
  const parsed = SCHEMA.safeParse(value);
  if (parsed.success) {
    const { $schema: _, ...config } = parsed.data;
    return config;
  }
  throw new PrecisError('bad-input', `${file}: ${sentenceOf(parsed.error.issues[0], value)}`);
}

/**
 * The environment, with the server of the configuration where it names none itself. Keys are sent to that server, so a file
 * that just lies in a folder, which may be someone else's, can only name one on this machine.
 */
export function environmentWith(found: FoundConfig | null, env: Environment): Environment {
  const baseURL = found?.config.baseURL;
  if (found === null || baseURL === undefined || firstSet(['PRECIS_BASE_URL'], env) !== null) return env;
  if (found.isNamed || isLoopback(addressOf(baseURL) ?? '')) return { ...env, PRECIS_BASE_URL: baseURL };
  throw new PrecisError(
    'bad-input',
    `${found.file}: expected \`baseURL\` to be on this machine; to send requests elsewhere name the file with --config, or set PRECIS_BASE_URL`,
  );
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '')?.[0];
    throw new PrecisError('bad-input', `${file}: expected JSON${place === undefined ? '' : ` ${place}`}`);
  }
}

function sentenceOf(issue: z.core.$ZodIssue | undefined, value: unknown): string {
  const [field] = issue?.path ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(EXPECTED).slice(1).join(', ');
    const hint = issue.keys.some((key) => /key|token|secret/i.test(key)) ? '; keys belong in the environment' : '';
    return `unknown field \`${issue.keys[0]}\`; known are ${known}${hint}`;
  }
  if (typeof field !== 'string') return 'expected an object such as {"model": "anthropic/claude-haiku-4-5"}';
  const place = (issue?.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : String(step))).join('');
  const expected = place === field ? EXPECTED[field] : field === 'template' ? 'a heading in words' : EXPECTED['model'];
  return `expected \`${place}\` to be ${expected}, got ${shown(issue?.path ?? [], value)}`;
}

function shown(path: readonly PropertyKey[], value: unknown): string {
  let at: unknown = value;
  for (const step of path) at = (at as Readonly<Record<PropertyKey, unknown>>)[step];
  // An address may hold a password.
  return path[0] === 'baseURL' ? 'another value' : `\`${JSON.stringify(at).slice(0, 60)}\``;
}

function isAddress(text: string): boolean {
  return addressOf(text) !== null;
}

function addressOf(text: string): string | null {
  return baseURLOf(text, { path: '/v1', complete: 'when-bare' });
}
