import { PrecisError } from '../../core/errors.ts';
import { baseURLOf, isLoopback } from '../../models/base-url.ts';
import { type Environment, firstSet } from '../../models/providers.ts';

/** The settings that a project keeps in `precis.config.json`. Provider keys belong in the environment. */
export interface Config {
  /** Name of the model that writes summaries, e.g. `anthropic/claude-haiku-4-5`. */
  readonly model?: string | undefined;
  /** Names of models to ask when it fails, in order. */
  readonly fallbacks?: readonly string[] | undefined;
  /** Address of an OpenAI-compatible server, for models named `compatible/…`. */
  readonly baseURL?: string | undefined;
  /** Headings of the summary, in order. */
  readonly template?: readonly string[] | undefined;
  /** Size of the result, in tokens. */
  readonly target?: number | undefined;
  /** Context window to plan for, in tokens. */
  readonly window?: number | undefined;
}

export interface FoundConfig {
  readonly file: string;
  readonly config: Config;
  /** True when the user named the file, false when it was found in the folder. */
  readonly isNamed: boolean;
}

export const CONFIG_FILE = 'precis.config.json';

/**
 * The environment, with the server from the configuration unless the environment names one. Keys are sent to that server, and a
 * file that was only found in a folder may be someone else's, so such a file can only name a server on this machine.
 */
export function environmentWith(found: FoundConfig | null, env: Environment): Environment {
  const baseURL = found?.config.baseURL;
  if (found === null || baseURL === undefined || firstSet(['PRECIS_BASE_URL'], env) !== null) return env;
  if (found.isNamed || isLoopback(addressIn(baseURL) ?? '')) return { ...env, PRECIS_BASE_URL: baseURL };
  throw new PrecisError(
    'bad-input',
    `${found.file}: expected \`baseURL\` to be on this machine; to send requests elsewhere name the file with --config, or set PRECIS_BASE_URL`,
  );
}

/** The complete address of an OpenAI-compatible server; null when the text is not an http address. */
export function addressIn(text: string): string | null {
  return baseURLOf(text, { path: '/v1', complete: 'when-bare' });
}
