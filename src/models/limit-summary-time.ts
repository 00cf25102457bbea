import type { AlignedModel, ModelCall, ModelFailure, ModelRequest, Summarizer } from '../core/model.ts';
import { plainFailure } from './failure/failure.ts';
import { LONGEST_TIMER, wait } from './timers.ts';

/** The options of a compaction that say who writes a summary, and how long that may take. */
export interface SummaryWriters {
  readonly summarizer?: Summarizer;
  readonly aligned?: AlignedModel;
  /** Longest time for one answer, in milliseconds. @default 900_000 */
  readonly summaryTimeoutMs?: number;
}

/** As long as a chain of models takes at most, so that its own limit comes first. */
const SUMMARY_TIMEOUT_MS = 900_000;

/** Returns the options with writers that fail when they have not answered in time, even if they never settle. */
export function limitSummaryTime<T extends SummaryWriters>(options: T): T {
  const { summarizer, aligned, summaryTimeoutMs: ms = SUMMARY_TIMEOUT_MS } = options;
  return {
    ...options,
    // Writers that cannot be asked are left for the check of the options.
    ...(typeof summarizer?.generate === 'function' ? { summarizer: summarizerInTime(summarizer, ms) } : {}),
    ...(typeof aligned?.generate === 'function' ? { aligned: alignedInTime(aligned, ms) } : {}),
  };
}

function summarizerInTime(summarizer: Summarizer, ms: number): Summarizer {
  return {
    models: summarizer.models,
    generate: (request) =>
      inTime((limited: ModelRequest) => summarizer.generate(limited), request, {
        ms,
        late: (failure) => {
          const model = summarizer.models[0]?.id ?? 'unknown';
          const call: ModelCall = { model, outcome: 'timeout', inputTokens: null, outputTokens: null, ms };
          return { outcome: { type: 'failed', failure }, model, attempts: [call] };
        },
      }),
  };
}

function alignedInTime(aligned: AlignedModel, ms: number): AlignedModel {
  const { id, contextWindow, prices } = aligned;
  return {
    id,
    contextWindow,
    prices,
    generate: (request) =>
      inTime((limited: typeof request) => aligned.generate(limited), request, {
        ms,
        late: (failure) => ({ type: 'failed', failure }),
      }),
  };
}

interface TimeLimit<Answer> {
  readonly ms: number;
  readonly late: (failure: ModelFailure) => Answer;
}

/** Asks, and answers with a failure when the time is over. The signal then tells the model to stop. */
async function inTime<Request extends { readonly signal?: AbortSignal }, Answer>(
  generate: (request: Request) => Promise<Answer>,
  request: Request,
  { ms, late }: TimeLimit<Answer>,
): Promise<Answer> {
  const overdue = new AbortController();
  const answered = new AbortController();
  const given = request.signal === undefined ? [] : [request.signal];
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const noTimer = AbortSignal.any([answered.signal, ...given]);
  wait(Math.min(ms, LONGEST_TIMER), noTimer).then(() => {
    if (noTimer.aborted) return;
    // First the answer, because the model may answer the signal at once.
    resolve(late(plainFailure('timeout', `The model did not answer within ${ms / 1000} s.`)));
    overdue.abort();
  });
  try {
    const signal = AbortSignal.any([overdue.signal, ...given]);
    return await Promise.race([generate({ ...request, signal }), promise]);
  } finally {
    answered.abort();
  }
}
