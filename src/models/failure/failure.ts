import type { FailureKind, ModelFailure } from '../../core/model.ts';
import { readOverflow } from '../../formats/overflow.ts';
import { type ErrorSigns, signsOf } from './error-signs.ts';
import { retryAfterOf } from './retry-after.ts';

/** Options for sorting a failure. */
export interface FailureOptions {
  /** The current time in milliseconds since 1970, for dates in `retry-after`. @default Date.now */
  readonly now?: () => number;
}

/** Sorts a value that a model call threw. The message is our own, because a provider's may repeat the key or the prompt. */
export function failureOf(thrown: unknown, options: FailureOptions = {}): ModelFailure {
  const signs = signsOf(thrown);
  const retryAfterMs = retryAfterOf(signs.headers, signs.text, options.now ?? Date.now);
  const kind = kindOf(signs, retryAfterMs);
  const learnedWindow = kind === 'overflow' ? readOverflow(signs.text).limit : null;
  return { kind, message: sentenceOf(kind, signs, learnedWindow), retryAfterMs, learnedWindow };
}

/** Makes a failure without a thrown value. */
export function plainFailure(kind: FailureKind, message: string): ModelFailure {
  return { kind, message, retryAfterMs: null, learnedWindow: null };
}

function kindOf(signs: ErrorSigns, retryAfterMs: number | null): FailureKind {
  if (signs.status !== null && signs.status >= 400) return kindOfStatus(signs.status, signs, retryAfterMs);
  const kind = kindOfNames(signs) ?? kindOfErrno(signs) ?? kindOfText(signs, retryAfterMs);
  // The provider reports success, but the SDK could not use the answer: e.g. a proxy's error page.
  return kind === 'unknown' && signs.status !== null ? 'malformed' : kind;
}

function kindOfStatus(status: number, signs: ErrorSigns, retryAfterMs: number | null): FailureKind {
  if (status === 402) return 'quota';
  if (status === 401 || status === 403) return SAYS.quota.test(signs.text) ? 'quota' : 'auth';
  if (readOverflow(signs.text).isOverflow) return 'overflow';
  if (status === 429) return isQuota(signs.text, retryAfterMs) ? 'quota' : 'rate-limit';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'overflow';
  if (status >= 500) return 'overloaded';
  // A refusal may repeat the prompt, so only words count that no conversation holds by chance.
  if (SAYS.filter.test(signs.text)) return 'content-filter';
  if (SAYS.key.test(signs.text)) return 'auth';
  if (SAYS.quota.test(signs.text)) return 'quota';
  return 'unknown';
}

function kindOfNames({ names, text }: ErrorSigns): FailureKind | null {
  const [name = ''] = names;
  if (names.includes('AbortError') || name === 'ResponseAborted') return 'aborted';
  if (names.includes('TimeoutError')) return 'timeout';
  if (names.includes('AI_LoadAPIKeyError')) return 'auth';
  if (names.some((each) => MALFORMED.has(each))) return readOverflow(text).isOverflow ? 'overflow' : 'malformed';
  return null;
}

const MALFORMED: ReadonlySet<string> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
  'AI_NoOutputGeneratedError',
  'AI_InvalidStreamPartError',
  'SyntaxError',
  'ZodError',
]);

function kindOfErrno({ errno, text }: ErrorSigns): FailureKind | null {
  if (errno === 'ETIMEDOUT' || errno?.endsWith('_TIMEOUT') === true) return 'timeout';
  if (errno !== null) return 'network';
  return SAYS.noConnection.test(text) ? 'network' : null;
}

/** Sorts errors inside a stream, which are bare texts or objects without a status. */
function kindOfText({ text, codes }: ErrorSigns, retryAfterMs: number | null): FailureKind {
  const all = [text, ...codes].join('\n');
  if (readOverflow(all).isOverflow) return 'overflow';
  if (SAYS.filter.test(all)) return 'content-filter';
  if (SAYS.key.test(all)) return 'auth';
  if (isQuota(all, retryAfterMs)) return 'quota';
  if (SAYS.slower.test(all)) return 'rate-limit';
  if (SAYS.busy.test(all)) return 'overloaded';
  if (SAYS.late.test(all)) return 'timeout';
  return 'unknown';
}

const SAYS = {
  key: /invalid[_ -](?:x-)?api[_ -]key|incorrect api key|api[_ ]key[_ ](?:invalid|not valid)|authentication_error|permission_(?:error|denied)/i,
  quota:
    /insufficient_(?:quota|credits|balance|funds)|insufficient balance|credit balance is too low|billing_(?:error|hard_limit_reached|not_active)/i,
  filter:
    /content_filter|content_policy_violation|prompt was flagged as potentially violating|content (?:management|filtering) policy|ResponsibleAIPolicyViolation|PROHIBITED_CONTENT|data_inspection_failed/i,
  slower: /rate[_ -]?limit|too many (?:requests|tokens)|throttl|RESOURCE_EXHAUSTED/i,
  busy: /overloaded|server_error|api_error|internal (?:server )?error|unavailable|at capacity|loading model/i,
  late: /timed? ?out|deadline exceeded/i,
  noConnection: /fetch failed|network error|socket hang up|terminated|connection (?:error|refused|reset|closed)/i,
} as const;

/** Says whether a limit is a quota. Google calls every limit a quota, but one that names a time to retry is a rate limit. */
function isQuota(text: string, retryAfterMs: number | null): boolean {
  if (SAYS.quota.test(text) || /Requests?PerDay/i.test(text)) return true;
  return retryAfterMs === null && /exceeded your current quota/i.test(text);
}

function sentenceOf(kind: FailureKind, signs: ErrorSigns, window: number | null): string {
  const who = signs.host ?? 'The provider';
  const why = [signs.status === 200 ? null : signs.status, signs.errno, signs.codes[0]].filter((part) => part != null);
  const signsText = why.length === 0 ? '' : ` (${why.join(', ')})`;
  switch (kind) {
    case 'auth':
      return `${who} did not accept the key${signsText}.`;
    case 'quota':
      return `${who} says that the account has no quota or credit left${signsText}.`;
    case 'rate-limit':
      return `${who} asks for fewer requests${signsText}.`;
    case 'overloaded':
      return `${who} is overloaded or failing${signsText}.`;
    case 'overflow':
      return `The request is longer than the model accepts${window === null ? '' : `, which is ${window.toLocaleString('en-US')} tokens`}${signsText}.`;
    case 'network':
      return `There is no connection to ${signs.host ?? 'the provider'}${signsText}.`;
    case 'timeout':
      return `${who} did not answer in time${signsText}.`;
    case 'content-filter':
      return `The content filter of ${signs.host ?? 'the provider'} stopped the request${signsText}.`;
    case 'malformed':
      return `${who} sent an answer that cannot be read.`;
    case 'aborted':
      return 'The request was cancelled.';
    case 'unknown':
      if (signs.status === 404) return `${who} knows no such model or address${signsText}.`;
      if (signs.status !== null) return `${who} refused the request${signsText}.`;
      return `The call failed${signsText === '' && isClassName(signs.names[0]) ? ` (${signs.names[0]})` : signsText}.`;
  }
}

function isClassName(name: string | undefined): boolean {
  return name !== undefined && /^[A-Za-z_]{2,48}$/.test(name);
}
