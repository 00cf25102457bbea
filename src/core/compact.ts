import { type Applied, applyPlan } from './apply.ts';
import type { AssembledView } from './assemble.ts';
import { auditFacts, type FactAudit } from './audit.ts';
import { type Conversation, historyOf, withView } from './conversation/conversation.ts';
import { checkSound, type SoundConversation, type SoundnessRules } from './conversation/sound.ts';
import { editsOf } from './edits.ts';
import { PrecisError } from './errors.ts';
import { type CompactOptions, checkOptions } from './options.ts';
import { type CompactPlan, type Effort, type Plan, plan, type RefusalReason } from './policy/plan.ts';
import type { Outcome, Receipt } from './receipt.ts';
import { reuseMessages } from './reuse.ts';
import { heuristicCounter } from './tokens/counter.ts';
import { createMeasure, type Measure } from './tokens/measure.ts';
import { type Limits, limitsFor } from './tokens/window.ts';

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

/**
 * Compacts a conversation: measure, plan, apply, check, receipt. Whatever happens, what comes back is sound and never larger than what came in.
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

  const measure = createMeasure(options.counter ?? heuristicCounter, options.tokenFactor ?? 1);
  const derived = limitsFor(options);
  const limits = options.tailTokens === undefined ? derived : { ...derived, tailTokens: options.tailTokens };
  const planWith = (effort: Effort): Plan =>
    plan({
      view: conversation.messages,
      history: historyOf(conversation),
      measure,
      limits,
      force: options.force === true || options.target !== undefined,
      effort,
      openReasoning: options.openReasoning ?? 'refuse',
    });
  const planned = planWith('condense');
  const done = (compaction: Omit<Compaction, 'receipt'>, details: ReceiptDetails): Compaction => ({
    ...compaction,
    receipt: receiptOf({ compaction, details, before: conversation, measure, limits, ms: Math.round(now() - started) }),
  });
  const unchanged = { conversation: given.conversation, refusal: null, smallestTarget: null };

  if (planned.type === 'keep') return done({ ...unchanged, outcome: 'unchanged' }, { reason: planned.reason });
  if (planned.type === 'refuse')
    return done(
      { ...unchanged, outcome: 'refused', refusal: planned.reason, smallestTarget: null },
      { reason: planned.detail },
    );

  const refused = (refusal: RefusalReason, reason: string, smallestTarget: number | null = null): Compaction =>
    done({ ...unchanged, outcome: 'refused', refusal, smallestTarget }, { reason });
  const { applied, carriedOut } = applyWithEffort(planned, measure, planWith);
  if (applied.type === 'too-large')
    return refused(
      'target-too-small',
      `what must stay needs ${applied.tokens} tokens, so the smallest possible target is ${applied.tokens}`,
      applied.tokens,
    );
  if (applied.tokens >= measure.conversation(conversation))
    return refused('not-smaller', 'the compacted view would not be smaller');
  const checked = checkSound(
    withView(conversation, reuseMessages(conversation.messages, applied.view.messages)),
    rules,
  );
  // Our own edits must never break a conversation. If they would, the caller keeps what it had and learns which rule it was.
  if (checked.type === 'unsound')
    return refused(
      'unsound',
      `the compacted view would break rule ${checked.issues[0]?.rule}: ${checked.issues[0]?.text}`,
    );
  return done(
    {
      conversation: checked.conversation,
      outcome: outcomeOf(carriedOut, applied.view),
      refusal: null,
      smallestTarget: null,
    },
    {
      reason: reasonFor(carriedOut, applied.tokens),
      plan: carriedOut,
      view: applied.view,
      audit: auditFacts(carriedOut, applied.view),
    },
  );
}

/** Sizes in a plan are estimates. When the view comes out too large all the same, the next effort cuts deeper. */
function applyWithEffort(
  first: CompactPlan,
  measure: Measure,
  planWith: (effort: Effort) => Plan,
): { readonly applied: Applied; readonly carriedOut: CompactPlan } {
  let carriedOut = first;
  let applied = applyPlan(first, measure);
  for (const effort of ['fold', 'fold-all'] as const) {
    if (applied.type === 'applied') break;
    const next = planWith(effort);
    if (next.type !== 'compact') break;
    carriedOut = next;
    applied = applyPlan(next, measure);
  }
  return { applied, carriedOut };
}

function outcomeOf({ layout }: CompactPlan, { handoff }: AssembledView): Outcome {
  if (handoff !== null) return 'folded';
  return layout.modes.includes('condense') ? 'condensed' : 'trimmed';
}

function unsound(text: string, message: number): PrecisError {
  return new PrecisError(
    'unsound',
    `message ${message}: ${text}; decode the conversation with its format first, which mends what can be mended`,
    { message },
  );
}

function reasonFor(planned: CompactPlan, tokens: number): string {
  const folded = planned.layout.modes.filter((mode) => mode === 'fold').length;
  const condensed = planned.layout.modes.filter((mode) => mode === 'condense').length;
  return `${planned.forecast.tokensBefore} tokens to ${tokens}: ${folded} steps folded, ${condensed} condensed, ${planned.steps.length - folded - condensed} kept as they were`;
}

interface ReceiptDetails {
  readonly reason: string;
  readonly plan?: CompactPlan;
  readonly view?: AssembledView;
  readonly audit?: FactAudit;
}

interface ReceiptInput {
  readonly compaction: Omit<Compaction, 'receipt'>;
  readonly details: ReceiptDetails;
  readonly before: Conversation;
  readonly measure: Measure;
  readonly limits: Limits;
  readonly ms: number;
}

function receiptOf({ compaction, details, before, measure, limits, ms }: ReceiptInput): Receipt {
  const after = compaction.conversation;
  const changed = before.messages.findIndex((message, index) => message !== after.messages[index]);
  const first = before === after ? -1 : changed < 0 ? before.messages.length : changed;
  return {
    version: 1,
    outcome: compaction.outcome,
    reason: details.reason,
    tokens: {
      before: measure.conversation(before),
      after: measure.conversation(after),
      window: limits.window,
      threshold: limits.threshold,
      target: limits.foldTarget,
    },
    messages: { before: before.messages.length, after: after.messages.length },
    facts: details.audit?.counts ?? { critical: 0, kept: 0, recoverable: 0, lost: 0 },
    cache: {
      earliestChangedIndex: first,
      invalidatedTokens: first < 0 ? 0 : measure.messages(before.messages.slice(first)),
    },
    edits: details.plan === undefined || details.view === undefined ? [] : editsOf(details.plan, details.view, measure),
    writer: {
      kind: details.view === undefined || details.view.handoff === null ? 'none' : 'extractive',
      model: null,
      attempts: details.view?.handoff === undefined || details.view.handoff === null ? 0 : 1,
      validation: details.audit?.validation ?? {},
    },
    refusal:
      compaction.refusal === null ? null : { reason: compaction.refusal, smallestTarget: compaction.smallestTarget },
    calls: [],
    checkpoint: null,
    notes: [],
    ms,
  };
}
