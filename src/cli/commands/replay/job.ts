import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrecisError } from '../../../core/errors.ts';
import { findModel } from '../../../models/catalog/catalog.ts';
import { o200k } from '../../../models/o200k.ts';
import { rulesById } from '../../../replay/cache/rules/by-id.ts';
import { policies } from '../../../replay/policies/policies.ts';
import type { Policy } from '../../../replay/policies/policy.ts';
import { type ReplayedSession, replayTrace } from '../../../replay/replay.ts';
import { traceOf } from '../../../replay/trace/from-session.ts';
import type { SessionDocument } from '../../../sessions/index.ts';

/** The settings that all sessions share. Plain data, so that another thread can receive it. */
export interface ReplaySettings {
  /** Ids of policies that come with precis. */
  readonly policies: readonly string[];
  /** Modules with policies of the user. */
  readonly policyFiles: readonly string[];
  readonly prices: readonly string[];
  readonly window: number;
  readonly paceMs: number;
  readonly seed: number;
}

/** The result of a session. Errors are data, so that one bad file does not end the others. */
export type SessionOutcome =
  | ({ readonly type: 'replayed' } & ReplayedSession)
  | { readonly type: 'failed'; readonly error: string; readonly isSession: boolean };

/** Replays one session under every policy and all prices. The trace is dropped when it is done. */
export async function replaySession(
  path: string,
  settings: ReplaySettings,
  open: (path: string) => Promise<SessionDocument>,
): Promise<SessionOutcome> {
  let document: SessionDocument;
  try {
    document = await open(path);
  } catch (error) {
    return { type: 'failed', error: sentenceOf(error, path), isSession: false };
  }
  try {
    const count = (text: string): number => o200k.count(text);
    const { conversation, format, source } = document;
    const trace = traceOf({ name: path, conversation, records: source.records }, { count, pace: settings.paceMs });
    if (trace.requests.length === 0)
      return { type: 'failed', error: 'no assistant message, so no request to replay', isSession: false };
    const { window, seed } = settings;
    const [model] = source.meta.compactions > 0 ? [] : source.meta.models;
    const replayed = await replayTrace(trace, {
      policies: await policiesOf(settings),
      prices: settings.prices.map((id) => rulesById(id)),
      window,
      seed,
      count,
      soundness: format,
      model: model === undefined ? null : findModel(model),
    });
    return { type: 'replayed', ...replayed };
  } catch (error) {
    return { type: 'failed', error: sentenceOf(error, path), isSession: true };
  }
}

/** The policies by id, then those of the user's modules. */
export async function policiesOf({ policies: ids, policyFiles }: ReplaySettings): Promise<readonly Policy[]> {
  const own = await Promise.all(policyFiles.map(loadPolicy));
  return [...ids.map(knownPolicy), ...own];
}

export const allPolicyIds: readonly string[] = policies.map(({ id }) => id);

function knownPolicy(id: string): Policy {
  const found = policies.find((policy) => policy.id === id);
  if (found !== undefined) return found;
  const known = allPolicyIds.join(', ');
  throw new PrecisError('bad-option', `Expected \`--policies\` to name any of ${known}, got \`${id}\``);
}

async function loadPolicy(path: string): Promise<Policy> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PrecisError('bad-option', `${path}: expected a module with a policy, but loading it failed: ${why}`);
  }
  if (isPolicy(loaded.default)) return loaded.default;
  throw new PrecisError(
    'bad-option',
    `${path}: expected a default export with \`id\`, \`title\`, \`note\` and a \`start\` function; docs/replay.md has an example`,
  );
}

function isPolicy(value: unknown): value is Policy {
  if (typeof value !== 'object' || value === null) return false;
  const { id, title, note, start } = value as Readonly<Record<string, unknown>>;
  return [id, title, note].every((text) => typeof text === 'string' && text !== '') && typeof start === 'function';
}

function sentenceOf(error: unknown, path: string): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith(`${path}: `) ? text.slice(path.length + 2) : text;
}
