import type { Model } from '../../../core/model.ts';
import { namedModel } from '../../../models/named.ts';
import { whole } from '../../screen/paint.ts';
import type { Check } from './check.ts';
import type { Surroundings } from './surroundings.ts';

export interface AskedModel {
  readonly name: string | undefined;
  /** True when one request is to be sent. */
  readonly isLive: boolean;
}

export async function modelChecks(
  { name, isLive }: AskedModel,
  { env, fetch }: Surroundings,
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
