import { isLoopback } from '../../../models/base-url.ts';
import { addressOf, firstSet, PROVIDERS, type Provider } from '../../../models/providers.ts';
import type { Check } from './check.ts';
import type { Surroundings } from './surroundings.ts';

/** The user's own servers: those in the configuration, and those at the usual addresses on this machine. */
export async function serverChecks(surroundings: Surroundings): Promise<readonly Check[]> {
  const probed = await Promise.all(
    PROVIDERS.filter(({ needsKey }) => !needsKey).map((provider) => serverCheck(provider, surroundings)),
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

async function serverCheck(provider: Provider, { env, fetch }: Surroundings): Promise<Check | null> {
  const configured = firstSet(provider.addresses, env);
  const address = addressOf(provider, env);
  if (configured === null && (address === null || !isLoopback(address))) return null;
  if (address === null)
    return { name: 'server', status: 'failed', text: `${configured?.name} is not an http address without a password` };
  const answer = await modelsAt(address, fetch);
  if (answer !== null) return { name: 'server', status: 'ok', text: `${provider.title} at ${address} ${answer}` };
  // A server that nobody configured need not run.
  if (configured === null) return null;
  return { name: 'server', status: 'failed', text: `nothing answers at ${address} (${configured.name})` };
}

/** The answer of a server when asked for its models; null when it does not answer. The request carries no key. */
async function modelsAt(address: string, fetch: typeof globalThis.fetch): Promise<string | null> {
  try {
    // A redirect could lead anywhere.
    const response = await fetch(`${address}/models`, { redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) });
    if (!response.ok) return `answers (${response.status})`;
    const body = (await response.json().catch(() => null)) as { readonly data?: unknown } | null;
    if (!Array.isArray(body?.data)) return 'answers';
    const ids = body.data.flatMap((model: unknown) => idIn(model) ?? []);
    return ids.length === 0
      ? 'answers, but lists no model'
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
