import { type Conversation, historyOf, withView } from './conversation/conversation.ts';
import type { SoundnessIssue } from './conversation/issue.ts';
import { checkSound, type SoundConversation, type SoundnessCheck, type SoundnessRules } from './conversation/sound.ts';
import { PrecisError } from './errors.ts';
import { type CompactOptions, checkOptions } from './options.ts';
import { type CompactPlan, type Effort, type Plan, plan, type RefusalReason } from './plan/plan.ts';
import { auditFacts } from './receipt/audit.ts';
import { makeReceipt, type ReceiptDetails } from './receipt/make-receipt.ts';
import type { Outcome, Receipt } from './receipt/receipt.ts';
import { type Summarized, summarize } from './summary/summarize.ts';
import { heuristicCounter } from './tokens/counter.ts';
import { createMeasure, type Measure } from './tokens/measure.ts';
import { type Limits, limitsFor } from './tokens/window.ts';
import { type Fitted, type FittedView, fitView } from './view/fit.ts';
import { reuseMessages } from './view/reuse.ts';

/** The result of a compaction: a smaller, sound view; or the conversation that came in, and the reason. */
export interface Compaction {
  /** The view to send now, with its history. */
  readonly conversation: SoundConversation;
  /** How the compaction ended. */
  readonly outcome: Outcome;
  /** Why a compaction that was due or asked for was not done; null unless the outcome is `refused`. */
  readonly refusal: RefusalReason | null;
  /** The smallest target that could work, in tokens, when the one asked for was too small. */
  readonly smallestTarget: number | null;
  /** The compaction in numbers and refs. */
  readonly receipt: Receipt;
}

/** Most requests for one summary. */
const MOST_SUMMARY_CALLS = 4;

/**
 * Compacts a conversation: measure, plan, fit a view, let a model write if there is one, check, receipt. Whatever happens, the result is sound
 * and never larger than the input.
 *
 * @param rules the conversation's format, which knows what is sound
 */
export async function compact(
  conversation: Conversation,
  rules: SoundnessRules,
  options: CompactOptions = {},
): Promise<Compaction> {
  const job = startJob(conversation, rules, options);
  const planned = job.planWith('least');
  if (planned.type === 'keep') return job.finish({ outcome: 'unchanged' }, { reason: planned.reason });
  if (planned.type === 'refuse') return job.refuse(planned.reason, planned.detail);

  const byCode = fitWithEffort(planned, job);
  if (byCode.fitted.type === 'too-large') {
    const least = byCode.fitted.tokens;
    const reason = `what must stay needs ${least} tokens, so the smallest possible target is ${least}`;
    return job.refuse('target-too-small', reason, least);
  }
  if (byCode.fitted.tokens >= job.measure.conversation(conversation))
    return job.refuse('not-smaller', 'the compacted view would not be smaller');
  if (options.summarizer !== undefined) {
    // Some views are refused whatever a model writes, such as those of a history that a server keeps: do not pay a model for them.
    const sketch = job.check(byCode.fitted);
    if (sketch.type === 'unsound') return job.refuse('unsound', brokenRule(sketch.issues));
  }

  const summary = await summarizeFold(job, byCode.plan, byCode.fitted);
  const { plan: carriedOut, fitted } = summary ?? { plan: byCode.plan, fitted: byCode.fitted };
  const byModel = summary === null ? {} : { summary };
  const checked = job.check(fitted);
  // Our own edits must never break a conversation. If they would, the caller keeps its input and learns which rule would break.
  if (checked.type === 'unsound')
    return job.finish({ outcome: 'refused', refusal: 'unsound' }, { reason: brokenRule(checked.issues), ...byModel });
  const audit = auditFacts(carriedOut, fitted.view);
  return job.finish(
    { conversation: checked.conversation, outcome: outcomeOf(carriedOut, fitted, summary) },
    { reason: reasonFor(carriedOut, fitted.tokens), plan: carriedOut, view: fitted.view, audit, ...byModel },
  );
}

/** One compaction from its input to its receipt. */
interface Job {
  readonly conversation: Conversation;
  readonly options: CompactOptions;
  readonly measure: Measure;
  readonly limits: Limits;
  planWith(effort: Effort): Plan;
  check(fitted: FittedView): SoundnessCheck;
  finish(result: Result, details: ReceiptDetails): Compaction;
  refuse(refusal: RefusalReason, reason: string, smallestTarget?: number): Compaction;
}

/** A field that is left out keeps the value for an unchanged conversation. */
type Result = Partial<Omit<Compaction, 'receipt'>> & { readonly outcome: Outcome };

function startJob(conversation: Conversation, rules: SoundnessRules, options: CompactOptions): Job {
  checkOptions(options);
  const now = options.now ?? (() => 0);
  const started = now();
  const given = checkSound(conversation, rules);
  if (given.type === 'unsound') throw unsound(given.issues);
  if (options.signal?.aborted === true)
    throw new PrecisError('aborted', 'The compaction was aborted before it started');
  const shown = conversation.shown === undefined ? {} : { shown: conversation.shown };
  const counts = options.counts === undefined ? {} : { counts: options.counts };
  const measure = createMeasure(options.counter ?? heuristicCounter, options.tokenFactor ?? 1, { ...counts, ...shown });
  const derived = limitsFor(options);
  const limits = options.tailTokens === undefined ? derived : { ...derived, tailTokens: options.tailTokens };
  const unchanged = { conversation: given.conversation, refusal: null, smallestTarget: null };
  const finish: Job['finish'] = (result, details) => {
    const compaction = { ...unchanged, ...result };
    const ms = Math.round(now() - started);
    return {
      ...compaction,
      receipt: makeReceipt({ ...compaction, details, before: conversation, measure, limits, ms }),
    };
  };
  return {
    conversation,
    options,
    measure,
    limits,
    planWith: (effort) =>
      plan({
        view: conversation.messages,
        history: historyOf(conversation),
        measure,
        limits,
        force: options.force === true || options.target !== undefined,
        effort,
        openReasoning: options.openReasoning ?? 'refuse',
        template: options.template ?? [],
        ...(options.pinned === undefined ? {} : { pinned: options.pinned }),
        ...(options.learned === undefined ? {} : { learned: options.learned }),
        ...shown,
      }),
    check: ({ view }) => checkSound(withView(conversation, reuseMessages(conversation.messages, view.messages)), rules),
    finish,
    refuse: (refusal, reason, smallestTarget) =>
      finish({ outcome: 'refused', refusal, smallestTarget: smallestTarget ?? null }, { reason }),
  };
}

/** Sizes in a plan are estimates. If the view still comes out too large, the next effort cuts deeper. */
function fitWithEffort(
  first: CompactPlan,
  { measure, planWith }: Job,
): { readonly fitted: Fitted; readonly plan: CompactPlan } {
  let tried = first;
  let fitted = fitView(first, measure);
  for (const effort of ['fold', 'fold-all'] as const) {
    if (fitted.type === 'fitted') break;
    const next = planWith(effort);
    if (next.type !== 'compact') break;
    tried = next;
    fitted = fitView(next, measure);
  }
  return { fitted, plan: tried };
}

/** Asks a model only when something is folded: condensing keeps the words themselves. */
async function summarizeFold(job: Job, folding: CompactPlan, byCode: FittedView): Promise<Summarized | null> {
  const { conversation, options, measure } = job;
  const { summarizer, aligned, signal, onText } = options;
  if (byCode.view.handoff === null) return null;
  if (summarizer === undefined && aligned === undefined && folding.summaryLines.length === 0) return null;
  return summarize({
    plan: folding,
    byCode,
    view: conversation.messages,
    missing: auditFacts(folding, byCode.view).missing,
    summarizer: summarizer ?? null,
    aligned: aligned ?? null,
    focus: options.focus ?? null,
    maxCalls: options.maxSummaryCalls ?? MOST_SUMMARY_CALLS,
    measure,
    ...(signal === undefined ? {} : { signal }),
    ...(onText === undefined ? {} : { onText }),
  });
}

function outcomeOf({ layout }: CompactPlan, { view }: FittedView, summary: Summarized | null): Outcome {
  if (summary?.asked === true) return summary.outcome;
  if (view.handoff !== null) return 'folded';
  return layout.modes.includes('condense') ? 'condensed' : 'trimmed';
}

function brokenRule([issue]: readonly SoundnessIssue[]): string {
  return `the compacted view would break rule ${issue?.rule}: ${issue?.text}`;
}

function unsound([issue]: readonly SoundnessIssue[]): PrecisError {
  const message = issue?.message ?? -1;
  const remedy = 'decode the conversation with its format first, which mends what can be mended';
  const text = issue?.text ?? 'unknown reason';
  return new PrecisError('unsound', `message ${message + 1}: ${text}; ${remedy}`, { message });
}

function reasonFor({ layout, situation, forecast }: CompactPlan, tokens: number): string {
  const folded = layout.modes.filter((mode) => mode === 'fold').length;
  const condensed = layout.modes.filter((mode) => mode === 'condense').length;
  const kept = situation.steps.length - folded - condensed;
  return `${forecast.tokensBefore} tokens to ${tokens}: ${folded} steps folded, ${condensed} condensed, ${kept} kept as they were`;
}
