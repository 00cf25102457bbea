import type { Attributes } from '@opentelemetry/api';
import { PrecisError } from '../../core/errors.ts';
import type { ModelCall } from '../../core/model.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';

/** The conventions' word for "something else". */
const OTHER = '_OTHER';

/** Providers that the conventions call by another name. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** Outcomes of a call that count as an answer, even an incomplete one; all others are failures. */
const FINISHES: ReadonlySet<string> = new Set(['stop', 'length', 'content-filter', 'tool-call', 'other']);

/** Returns a code or a class name unchanged. Any other text becomes `_OTHER`, because a sentence might quote the conversation. */
export function wordOf(text: string): string {
  return /^[\w.-]{1,64}$/.test(text) ? text : OTHER;
}

/** Returns the kind of an error, never its message. */
export function errorType(error: unknown): string {
  if (PrecisError.is(error)) return wordOf(error.code);
  return error instanceof Error ? wordOf(error.name) : OTHER;
}

/** Splits `provider/name` into the conventions' attributes. */
export function modelAttributes(id: string): Attributes {
  const slash = id.indexOf('/');
  if (slash < 0) return { 'gen_ai.request.model': id };
  const provider = id.slice(0, slash);
  return {
    'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider,
    'gen_ai.request.model': id.slice(slash + 1),
  };
}

/** Returns the attributes of every metric and span of a model call. */
export function callAttributes(call: ModelCall): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    ...modelAttributes(call.model),
    ...(FINISHES.has(call.outcome) ? {} : { 'error.type': call.outcome }),
  };
}

/** Returns the attributes of a call's span, which has room for more. */
export function callSpanAttributes(call: ModelCall): Attributes {
  return {
    ...callAttributes(call),
    ...(FINISHES.has(call.outcome) ? { 'gen_ai.response.finish_reasons': [call.outcome] } : {}),
    ...(call.inputTokens === null ? {} : { 'gen_ai.usage.input_tokens': call.inputTokens }),
    ...(call.outputTokens === null ? {} : { 'gen_ai.usage.output_tokens': call.outputTokens }),
  };
}

/** Returns the attributes of a receipt, without its sentences, notes and refs. */
export function receiptAttributes(receipt: Receipt): Attributes {
  const { tokens, account, messages, facts, cache, writer, refusal, checkpoint } = receipt;
  const handoff = handoffTokens(receipt);
  return {
    'precis.compaction.outcome': receipt.outcome,
    ...(checkpoint === null ? {} : { 'precis.compaction.id': checkpoint }),
    'precis.compaction.calls': receipt.calls.length,
    'precis.compaction.edits': receipt.edits.length,
    'precis.compaction.writer': writer.kind,
    'precis.tokens.before': tokens.before,
    'precis.tokens.after': tokens.after,
    'precis.tokens.fixed': account.after.tools + account.after.provider,
    'precis.tokens.target': tokens.target,
    'precis.tokens.threshold': tokens.threshold,
    'precis.tokens.window': tokens.window,
    'precis.messages.before': messages.before,
    'precis.messages.after': messages.after,
    'precis.facts.critical': facts.critical,
    'precis.facts.kept': facts.kept,
    'precis.facts.recoverable': facts.recoverable,
    'precis.facts.lost': facts.lost,
    'precis.cache.earliest_changed_index': cache.earliestChangedIndex,
    'precis.cache.invalidated_tokens': cache.invalidatedTokens,
    ...(handoff === null ? {} : { 'precis.handoff.tokens': handoff }),
    ...(refusal === null ? {} : { 'precis.refusal.reason': wordOf(refusal.reason) }),
    ...(refusal === null || refusal.smallestTarget === null
      ? {}
      : { 'precis.refusal.smallest_target': refusal.smallestTarget }),
  };
}

/** Returns the tokens of the handoff that a compaction wrote; null when it wrote none. */
export function handoffTokens({ edits }: Receipt): number | null {
  const folds = edits.filter((edit) => edit.kind === 'fold');
  return folds.length === 0 ? null : folds.reduce((sum, edit) => sum + edit.tokensAfter, 0);
}
