import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrecisError } from '../../../core/errors.ts';
import { findModel } from '../../../models/catalog/catalog.ts';
import { o200k } from '../../../models/o200k.ts';
import { RULES } from '../../../replay/cache/rules/data.ts';
import { rulesForModel } from '../../../replay/cache/rules/for-model.ts';
import { rulesById } from '../../../replay/cache/rules/rules.ts';
import { type CalibrationRow, calibrationOf } from '../../../replay/metrics/calibration.ts';
import { optimumUsdOf } from '../../../replay/metrics/optimum.ts';
import { type SessionRow, sessionRowOf } from '../../../replay/metrics/report.ts';
import { policies, policyById } from '../../../replay/policies/index.ts';
import { simulate } from '../../../replay/simulate/simulate.ts';
import { traceOf } from '../../../replay/trace/trace.ts';
import type { Policy, ReplayResult, Trace } from '../../../replay/types.ts';
import type { SessionDocument, SessionMeta } from '../../../sessions/index.ts';

/** What every session is replayed with. Plain data, so that it can be handed to another thread. */
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

export interface ReplayedSession {
  readonly row: SessionRow;
  readonly results: readonly ReplayResult[];
}

/** What became of a session: errors are data, so that one bad file does not end the others. */
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
    const chosen = await policiesOf(settings);
    const { window, seed } = settings;
    const results: ReplayResult[] = [];
    for (const id of settings.prices)
      for (const policy of chosen)
        results.push(await simulate(trace, policy, rulesById(id), { window, seed, count, soundness: format }));
    const optimumUsd = Object.fromEntries(
      settings.prices.flatMap((id) => {
        const usd = optimumUsdOf(trace, rulesById(id), window);
        return usd === null ? [] : [[id, usd] as const];
      }),
    );
    const calibration = calibrated(trace, source.meta);
    return { type: 'replayed', row: { ...sessionRowOf(trace, window), optimumUsd, calibration }, results };
  } catch (error) {
    return { type: 'failed', error: sentenceOf(error, path), isSession: true };
  }
}

/**
 * The error of the cache model against the log; null when the model is not known, or when the agent compacted by itself, so that what was sent is
 * not what was said.
 */
function calibrated(trace: Trace, { models: [model], compactions }: SessionMeta): CalibrationRow | null {
  const known = model === undefined ? null : findModel(model);
  if (known === null || compactions > 0) return null;
  const { rules } = rulesForModel({ provider: known.provider, id: known.id });
  return calibrationOf(trace, (gap) => {
    const isLonger = rules.ttlMs !== null && gap > rules.ttlMs;
    return (isLonger ? RULES.find(({ id }) => id === rules.id.replace(/-5m$/, '-1h')) : undefined) ?? rules;
  });
}

/** The policies by id, then those of the user's modules. */
export async function policiesOf({ policies: ids, policyFiles }: ReplaySettings): Promise<readonly Policy[]> {
  const own = await Promise.all(policyFiles.map(loadPolicy));
  return [...ids.map(policyById), ...own];
}

export const allPolicyIds: readonly string[] = policies.map(({ id }) => id);

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
