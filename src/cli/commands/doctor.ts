import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { Command } from 'commander';
import { PrecisError } from '../../core/errors.ts';
import type { Model } from '../../core/model.ts';
import { isLoopback } from '../../models/base-url.ts';
import { catalog } from '../../models/catalog/catalog.ts';
import { CATALOG_DATE } from '../../models/catalog/catalog-data.ts';
import { namedModel } from '../../models/named.ts';
import { addressOf, type Environment, firstSet, PROVIDERS, type Provider } from '../../models/providers.ts';
import type { FoundConfig } from '../models/config.ts';
import { complaintAbout } from '../node-version.ts';
import { type Paint, paintFor, whole } from '../screen/paint.ts';
import type { World } from '../world.ts';

/** What a check-up looks at besides the world of every command. Tests pass their own. */
export interface Surroundings {
  readonly env: Environment;
  readonly nodeVersion: string;
  readonly fetch: typeof globalThis.fetch;
  canWrite(folder: string): Promise<boolean>;
}

function realSurroundings(): Surroundings {
  return {
    env: process.env,
    nodeVersion: process.versions.node,
    fetch: globalThis.fetch,
    canWrite: (folder) =>
      access(folder, constants.W_OK).then(
        () => true,
        () => false,
      ),
  };
}

interface DoctorFlags {
  readonly json?: boolean;
  readonly model?: string;
  readonly live?: boolean;
  readonly config?: string;
}

/** `missing` is something nobody asked for; `failed` is something that should work and does not. */
interface Check {
  readonly name: string;
  readonly status: 'ok' | 'missing' | 'failed';
  readonly text: string;
}

export function doctorCommand(
  world: World,
  finish: (code: number) => void,
  surroundings: Surroundings = realSurroundings(),
): Command {
  return new Command('doctor')
    .description('Say what works here and what is missing: keys, servers, configuration, permissions.')
    .option('--model <name>', 'a model that must be usable, e.g. anthropic/claude-haiku-4-5')
    .option('--live', 'send one tiny request to the model')
    .option('--json', 'print JSON')
    .option('--config <file>', 'configuration to read (default: precis.config.json, if there is one)')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: DoctorFlags) => {
      const checks = await checkUp(world, flags, surroundings);
      const isAsked = flags.model !== undefined || flags.live === true;
      const fails =
        isAsked && checks.some(({ name, status }) => (name === 'model' || name === 'live') && status !== 'ok');
      world.out(flags.json === true ? jsonText(checks, !fails) : screenText(checks, paintFor(world.outScreen)));
      finish(fails ? 1 : 0);
    });
}

const EXAMPLES = `
Examples:
  precis doctor
  precis doctor --model anthropic/claude-haiku-4-5 --live
  precis doctor --json

Keys are never printed. Without --live nothing is sent beyond this machine,
except that a server you configured is asked for its list of models.

Exit codes: 0 compaction works, which needs no model; 1 the model that was asked
for with --model or --live does not.`;

async function checkUp(world: World, flags: DoctorFlags, surroundings: Surroundings): Promise<readonly Check[]> {
  const { check: config, found, env } = await configCheck(world, flags.config, surroundings.env);
  const name = flags.model ?? found?.config.model;
  const [tokenizer, folder, servers, model] = await Promise.all([
    tokenizerCheck(),
    folderCheck(surroundings),
    serverChecks(env, surroundings.fetch),
    modelChecks(name, flags.live === true, env, surroundings.fetch),
  ]);
  return [
    nodeCheck(surroundings.nodeVersion),
    tokenizer,
    catalogCheck(),
    folder,
    config,
    ...keyChecks(env),
    ...servers,
    ...model,
  ];
}

function nodeCheck(version: string): Check {
  const complaint = complaintAbout(version);
  return { name: 'node', status: complaint === null ? 'ok' : 'failed', text: complaint ?? `Node.js ${version}` };
}

async function tokenizerCheck(): Promise<Check> {
  try {
    const { o200k } = await import('../../models/o200k.ts');
    const works = o200k.count('hello world') === 2;
    return {
      name: 'tokenizer',
      status: works ? 'ok' : 'failed',
      text: works ? 'o200k counts exactly' : 'o200k miscounts',
    };
  } catch {
    return { name: 'tokenizer', status: 'failed', text: 'o200k does not load; install the package again' };
  }
}

function catalogCheck(): Check {
  return { name: 'catalogue', status: 'ok', text: `${whole(catalog.length)} models, as of ${CATALOG_DATE}` };
}

async function folderCheck(surroundings: Surroundings): Promise<Check> {
  const can = await surroundings.canWrite('.');
  const text = can ? 'results can be written here' : 'results cannot be written here; give --out another folder';
  return { name: 'folder', status: can ? 'ok' : 'failed', text };
}

interface ConfigCheck {
  readonly check: Check;
  readonly found: FoundConfig | null;
  readonly env: Environment;
}

async function configCheck(world: World, path: string | undefined, env: Environment): Promise<ConfigCheck> {
  // Loaded here because the schema library takes longer to load than most commands to run.
  const { CONFIG_FILE, environmentWith, loadConfig } = await import('../models/config.ts');
  try {
    const found = await loadConfig(world, path);
    const text = found === null ? `no ${CONFIG_FILE}, which is fine` : `${found.file} is valid`;
    const check: Check = { name: 'config', status: found === null ? 'missing' : 'ok', text };
    return { check, found, env: environmentWith(found, env) };
  } catch (error) {
    if (path !== undefined || !PrecisError.is(error)) throw error;
    return { check: { name: 'config', status: 'failed', text: error.message }, found: null, env };
  }
}

function keyChecks(env: Environment): readonly Check[] {
  const needing = PROVIDERS.filter(({ needsKey }) => needsKey);
  const found = needing.flatMap((provider) => firstSet(provider.keys, env)?.name ?? []);
  const missing = needing.filter((provider) => firstSet(provider.keys, env) === null).map(({ id }) => id);
  const none: Check = { name: 'keys', status: 'missing', text: `none for ${shortList(missing)}; see precis models` };
  const some: Check = { name: 'keys', status: 'ok', text: found.join(', ') };
  return [...(found.length > 0 ? [some] : []), ...(missing.length > 0 ? [none] : [])];
}

function shortList(names: readonly string[]): string {
  return names.length <= 4 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

/** Servers of the user's own: those that were configured, and the usual places on this machine. */
async function serverChecks(env: Environment, fetch: typeof globalThis.fetch): Promise<readonly Check[]> {
  const probed = await Promise.all(
    PROVIDERS.filter(({ needsKey }) => !needsKey).map((provider) => serverCheck(provider, env, fetch)),
  );
  const checks = probed.filter((check) => check !== null);
  const none: Check = {
    name: 'server',
    status: 'missing',
    text: 'none on this machine (Ollama, LM Studio, llama.cpp, vLLM)',
  };
  return checks.length > 0 ? checks : [none];
}

const PROBE_MS = 1_500;

async function serverCheck(
  provider: Provider,
  env: Environment,
  fetch: typeof globalThis.fetch,
): Promise<Check | null> {
  const configured = firstSet(provider.addresses, env);
  const address = addressOf(provider, env);
  if (configured === null && (address === null || !isLoopback(address))) return null;
  if (address === null)
    return { name: 'server', status: 'failed', text: `${configured?.name} is no http address without a password` };
  const answer = await modelsAt(address, fetch);
  if (answer !== null) return { name: 'server', status: 'ok', text: `${provider.title} at ${address} ${answer}` };
  // Nobody said that there should be one.
  if (configured === null) return null;
  return { name: 'server', status: 'failed', text: `nothing answers at ${address} (${configured.name})` };
}

/** What a server says to a request for its models; null when it does not answer. The key stays here. */
async function modelsAt(address: string, fetch: typeof globalThis.fetch): Promise<string | null> {
  try {
    // A redirect could lead anywhere.
    const response = await fetch(`${address}/models`, { redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) });
    if (!response.ok) return `answers (${response.status})`;
    const body = (await response.json().catch(() => null)) as { readonly data?: unknown } | null;
    if (!Array.isArray(body?.data)) return 'answers';
    const ids = body.data.flatMap((model: unknown) => idIn(model) ?? []);
    return ids.length === 0
      ? 'answers, without any model'
      : `has ${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}`;
  } catch {
    return null;
  }
}

function idIn(model: unknown): string | null {
  const id = typeof model === 'object' && model !== null && 'id' in model ? model.id : null;
  // Printed on a terminal, so nothing that could steer one.
  return typeof id === 'string' && /^[\w.:/@+-]{1,80}$/.test(id) ? id : null;
}

async function modelChecks(
  name: string | undefined,
  isLive: boolean,
  env: Environment,
  fetch: typeof globalThis.fetch,
): Promise<readonly Check[]> {
  if (name === undefined) {
    const text = isLive
      ? 'expected --live to come with --model, or a model in the configuration'
      : 'none chosen; summaries are extracted';
    return [{ name: 'model', status: isLive ? 'failed' : 'missing', text }];
  }
  const found = namedModel(name, { env, fetch, idleMs: LIVE_MS, totalMs: LIVE_MS });
  if (found.type === 'unavailable') return [{ name: 'model', status: 'failed', text: found.message }];
  const { model, warning } = found;
  const size = `${model.id}, ${whole(model.contextWindow)} tokens`;
  const check: Check = { name: 'model', status: 'ok', text: warning === null ? size : `${size}. ${warning}` };
  return isLive ? [check, await liveCheck(model)] : [check];
}

const LIVE_MS = 60_000;

async function liveCheck(model: Model): Promise<Check> {
  const outcome = await model.generate({ instructions: 'Answer with one word.', prompt: 'Say: ready' });
  if (outcome.type === 'failed') return { name: 'live', status: 'failed', text: outcome.failure.message };
  const { inputTokens, outputTokens } = outcome.usage;
  if (outcome.text.trim() === '') return { name: 'live', status: 'failed', text: `${model.id} answered with nothing` };
  return {
    name: 'live',
    status: 'ok',
    text: `${model.id} answered (${inputTokens ?? '?'} tokens in, ${outputTokens ?? '?'} out)`,
  };
}

function screenText(checks: readonly Check[], paint: Paint): string {
  const marks = { ok: paint('green', 'ok    '), missing: paint('dim', '-     '), failed: paint('yellow', 'failed') };
  const lines = checks.map(({ name, status, text }) => `  ${marks[status]}  ${name.padEnd(10)}  ${text}`);
  const works = checks.every(
    ({ name, status }) => !['node', 'tokenizer', 'config'].includes(name) || status !== 'failed',
  );
  const verdict = works
    ? 'Compaction works here, with or without a model.'
    : 'Something that compaction needs is broken.';
  return `${[verdict, '', ...lines].join('\n')}\n`;
}

function jsonText(checks: readonly Check[], ok: boolean): string {
  return `${JSON.stringify({ version: 1, ok, checks }, null, 2)}\n`;
}
