import { type Conversation, historyOf, withView } from './conversation/conversation.ts';
import type { SoundnessIssue } from './conversation/issue.ts';
import { checkSound, type SoundConversation, type SoundnessRules } from './conversation/sound.ts';
import { PrecisError } from './errors.ts';
import { type CompactOptions, checkOptions } from './options.ts';
import { type CompactPlan, type Effort, type Plan, plan, type RefusalReason } from './plan/plan.ts';
import { auditFacts } from './receipt/audit.ts';
import { type ReceiptDetails, receiptOf } from './receipt/make-receipt.ts';
import type { Outcome, Receipt } from './receipt/receipt.ts';
import { type Summarized, summarize } from './summary/summarize.ts';
import { heuristicCounter } from './tokens/counter.ts';
import { createMeasure, type Measure } from './tokens/measure.ts';
import { limitsFor } from './tokens/window.ts';
import { type Applied, applyPlan } from './view/fit.ts';
import { reuseMessages } from './view/reuse.ts';

/** The result of a compaction: a smaller, sound view, or the very conversation that came in with a typed reason. */
export interface Compaction {
  readonly conversation: SoundConversation;
  readonly outcome: Outcome;
  /** Why nothing was done; null when something was. */
  readonly refusal: RefusalReason | null;
  /** The smallest target that could work, when the one asked for was too small. */
  readonly smallestTarget: number | null;
  readonly receipt: Receipt;
}

/** Requests that one zone may cost. */
const MOST_SUMMARY_CALLS = 4;

/**
 * Compacts a conversation: measure, plan, apply, let a model write if there is one, check, receipt. Whatever happens, what comes back is sound
 * and never larger than what came in.
 *
 * @param rules the format of the conversation, which knows what is sound
 */
export async function compact(
  conversation: Conversation,
  rules: SoundnessRules,
  options: CompactOptions = {},
): Promise<Compaction> {
  checkOptions(options);
  const now = options.now ?? (() => 0);
  const started = now();
  const given = checkSound(conversation, rules);
  if (given.type === 'unsound')
    throw unsound(given.issues[0]?.text ?? 'unknown reason', given.issues[0]?.message ?? -1);
  if (options.signal?.aborted === true)
    throw new PrecisError('aborted', 'The compaction was aborted before it started');

  const measure = createMeasure(options.counter ?? heuristicCounter, options.tokenFactor ?? 1, {
    ...(options.counts === undefined ? {} : { counts: options.counts }),
    ...(conversation.shown === undefined ? {} : { shown: conversation.shown }),
  });
  const derived = limitsFor(options);
  const limits = options.tailTokens === undefined ? derived : { ...derived, tailTokens: options.tailTokens };
  const done = (compaction: Omit<Compaction, 'receipt'>, details: ReceiptDetails): Compaction => ({
    ...compaction,
    receipt: receiptOf({
      ...compaction,
      details,
      before: conversation,
      measure,
      limits,
      ms: Math.round(now() - started),
    }),
  });
  const unchanged = { conversation: given.conversation, refusal: null, smallestTarget: null };
  const refused = (refusal: RefusalReason, reason: string, smallestTarget: number | null = null): Compaction =>
    done({ ...unchanged, outcome: 'refused', refusal, smallestTarget }, { reason });

  const planWith = (effort: Effort): Plan =>
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
      ...(conversation.shown === undefined ? {} : { shown: conversation.shown }),
    });
  const planned = planWith('condense');
  if (planned.type === 'keep') return done({ ...unchanged, outcome: 'unchanged' }, { reason: planned.reason });
  if (planned.type === 'refuse') return refused(planned.reason, planned.detail);

  const byCode = applyWithEffort(planned, measure, planWith);
  if (byCode.applied.type === 'too-large') {
    const least = byCode.applied.tokens;
    return refused(
      'target-too-small',
      `what must stay needs ${least} tokens, so the smallest possible target is ${least}`,
      least,
    );
  }
  if (byCode.applied.tokens >= measure.conversation(conversation))
    return refused('not-smaller', 'the compacted view would not be smaller');
  const viewOf = ({ view }: Fitting): Conversation =>
    withView(conversation, reuseMessages(conversation.messages, view.messages));
  if (options.summarizer !== undefined) {
    // No model is paid for a view that is refused whatever it writes, such as one of a history that a server keeps.
    const sketch = checkSound(viewOf(byCode.applied), rules);
    if (sketch.type === 'unsound') return refused('unsound', brokenRule(sketch.issues));
  }

  const written = await summarized(
    { ...byCode, applied: byCode.applied },
    conversation,
    measure,
    limits.window,
    options,
  );
  const { plan: carriedOut, applied } = written ?? { plan: byCode.plan, applied: byCode.applied };
  const checked = checkSound(viewOf(applied), rules);
  // Our own edits must never break a conversation. If they would, the caller keeps what it had and learns which rule it was.
  if (checked.type === 'unsound')
    // What a model was paid for stands in the receipt all the same.
    return done(
      { ...unchanged, outcome: 'refused', refusal: 'unsound' },
      { reason: brokenRule(checked.issues), ...(written === null ? {} : { written }) },
    );
  return done(
    {
      conversation: checked.conversation,
      outcome: outcomeOf(carriedOut, applied, written),
      refusal: null,
      smallestTarget: null,
    },
    {
      reason: reasonFor(carriedOut, applied.tokens),
      plan: carriedOut,
      view: applied.view,
      audit: auditFacts(carriedOut, applied.view),
      ...(written === null ? {} : { written }),
    },
  );
}

type Fitting = Extract<Applied, { readonly type: 'applied' }>;

/** Sizes in a plan are estimates. When the view comes out too large all the same, the next effort cuts deeper. */
function applyWithEffort(
  first: CompactPlan,
  measure: Measure,
  planWith: (effort: Effort) => Plan,
): { readonly applied: Applied; readonly plan: CompactPlan } {
  let tried = first;
  let applied = applyPlan(first, measure);
  for (const effort of ['fold', 'fold-all'] as const) {
    if (applied.type === 'applied') break;
    const next = planWith(effort);
    if (next.type !== 'compact') break;
    tried = next;
    applied = applyPlan(next, measure);
  }
  return { applied, plan: tried };
}

/** A model is asked only when something is folded: condensing keeps the words themselves. */
async function summarized(
  byCode: { readonly applied: Fitting; readonly plan: CompactPlan },
  conversation: Conversation,
  measure: Measure,
  window: number,
  options: CompactOptions,
): Promise<Summarized | null> {
  const { summarizer, aligned } = options;
  if (byCode.applied.view.handoff === null) return null;
  if (summarizer === undefined && aligned === undefined && byCode.plan.summaries.length === 0) return null;
  return summarize({
    plan: byCode.plan,
    extractive: byCode.applied,
    view: conversation.messages,
    window,
    summarizer: summarizer ?? null,
    aligned: aligned ?? null,
    focus: options.focus ?? null,
    maxCalls: options.maxSummaryCalls ?? MOST_SUMMARY_CALLS,
    measure,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.onText === undefined ? {} : { onText: options.onText }),
  });
}

function outcomeOf({ layout }: CompactPlan, { view }: Fitting, written: Summarized | null): Outcome {
  if (written?.asked === true) return written.outcome === 'model' ? 'folded' : written.outcome;
  if (view.handoff !== null) return 'folded';
  return layout.modes.includes('condense') ? 'condensed' : 'trimmed';
}

function brokenRule([issue]: readonly SoundnessIssue[]): string {
  return `the compacted view would break rule ${issue?.rule}: ${issue?.text}`;
}

function unsound(text: string, message: number): PrecisError {
  const remedy = 'decode the conversation with its format first, which mends what can be mended';
  return new PrecisError('unsound', `message ${message + 1}: ${text}; ${remedy}`, { message });
}

function reasonFor({ layout, steps, forecast }: CompactPlan, tokens: number): string {
  const folded = layout.modes.filter((mode) => mode === 'fold').length;
  const condensed = layout.modes.filter((mode) => mode === 'condense').length;
  const kept = steps.length - folded - condensed;
  return `${forecast.tokensBefore} tokens to ${tokens}: ${folded} steps folded, ${condensed} condensed, ${kept} kept as they were`;
}
