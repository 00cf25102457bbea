import type {
  FailureKind,
  FinishReason,
  ModelCall,
  ModelFailure,
  ModelOutcome,
  ModelUsage,
  SummarizerAnswer,
} from '../model.ts';

type Fields = Readonly<Record<string, unknown>>;

const FINISHES: ReadonlySet<unknown> = new Set<FinishReason>([
  'stop',
  'length',
  'content-filter',
  'tool-call',
  'other',
]);
const KINDS: ReadonlySet<unknown> = new Set<FailureKind>([
  'auth',
  'quota',
  'rate-limit',
  'overloaded',
  'overflow',
  'network',
  'timeout',
  'content-filter',
  'malformed',
  'aborted',
  'unknown',
]);

/** Reads the answer of a summariser, which the host may have written: types promise its shape, and nothing holds it to that. */
export function soundAnswer(value: unknown, model: string): SummarizerAnswer {
  const fields = fieldsOf(value);
  const outcome = soundOutcome(fields === null ? value : fields['outcome']);
  const ended = outcome.type === 'text' ? outcome.finish : outcome.failure.kind;
  const call: ModelCall = { model, outcome: ended, inputTokens: null, outputTokens: null, ms: 0 };
  const attempts = Array.isArray(fields?.['attempts'])
    ? fields['attempts'].map((attempt) => soundCall(attempt, call))
    : [call];
  const last = attempts.at(-1);
  const isMended = outcome !== fields?.['outcome'] && last !== undefined;
  return {
    outcome,
    model: typeof fields?.['model'] === 'string' ? fields['model'] : model,
    attempts: isMended ? [...attempts.slice(0, -1), { ...last, outcome: ended }] : attempts,
  };
}

/** Reads what a model returned. Anything that is neither a text nor a failure is a failure of kind `malformed`. */
export function soundOutcome(value: unknown): ModelOutcome {
  const fields = fieldsOf(value);
  if (fields?.['type'] === 'text' && typeof fields['text'] === 'string') {
    const { text, finish } = fields;
    const usage = soundUsage(fields['usage']);
    if (FINISHES.has(finish) && usage === fields['usage']) return value as ModelOutcome;
    return { type: 'text', text, finish: FINISHES.has(finish) ? (finish as FinishReason) : 'other', usage };
  }
  const given = fields?.['type'] === 'failed' ? fieldsOf(fields['failure']) : null;
  const failure = given === null ? malformed(value) : soundFailure(given);
  return Object.is(failure, given) ? (value as ModelOutcome) : { type: 'failed', failure };
}

function malformed(value: unknown): ModelFailure {
  const got = value === null ? 'null' : fieldsOf(value)?.['type'] === 'text' ? 'a text that is no text' : typeof value;
  const message = `The model returned something that is not an answer (${got}).`;
  return { kind: 'malformed', message, retryAfterMs: null, learnedWindow: null };
}

function soundFailure(given: Fields): ModelFailure {
  const { kind, message } = given;
  const retryAfterMs = countOrNull(given['retryAfterMs']);
  const learnedWindow = countOrNull(given['learnedWindow']);
  const isSound = retryAfterMs === given['retryAfterMs'] && learnedWindow === given['learnedWindow'];
  if (isSound && KINDS.has(kind) && typeof message === 'string') return given as unknown as ModelFailure;
  return {
    kind: KINDS.has(kind) ? (kind as FailureKind) : 'unknown',
    message: typeof message === 'string' ? message : 'The model failed and did not say why.',
    retryAfterMs,
    learnedWindow,
  };
}

function soundUsage(value: unknown): ModelUsage {
  const given = fieldsOf(value) ?? {};
  const usage: ModelUsage = {
    inputTokens: countOrNull(given['inputTokens']),
    outputTokens: countOrNull(given['outputTokens']),
    cachedInputTokens: countOrNull(given['cachedInputTokens']),
  };
  const isSound = Object.entries(usage).every(([name, tokens]) => given[name] === tokens);
  return isSound ? (given as unknown as ModelUsage) : usage;
}

/** Fields that we do not know stay: the calls of a chain say more than a receipt needs. */
function soundCall(value: unknown, otherwise: ModelCall): ModelCall {
  const fields = fieldsOf(value);
  if (fields === null) return otherwise;
  const { model, outcome } = fields;
  return {
    ...fields,
    model: typeof model === 'string' ? model : otherwise.model,
    outcome: FINISHES.has(outcome) || KINDS.has(outcome) ? (outcome as ModelCall['outcome']) : otherwise.outcome,
    inputTokens: countOrNull(fields['inputTokens']),
    outputTokens: countOrNull(fields['outputTokens']),
    ms: countOrNull(fields['ms']) ?? 0,
  };
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function countOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
