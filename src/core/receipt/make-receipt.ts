import type { Conversation } from '../conversation/conversation.ts';
import type { CompactPlan, RefusalReason } from '../plan/plan.ts';
import type { Summarized } from '../summary/summarize.ts';
import { accountFor, type Fixed } from '../tokens/account.ts';
import type { Measure } from '../tokens/measure.ts';
import type { Limits } from '../tokens/window.ts';
import type { AssembledView } from '../view/assemble.ts';
import type { FactAudit } from './audit.ts';
import { editsOf } from './edits.ts';
import type { Outcome, Receipt } from './receipt.ts';

/** The reason, and everything that only a compaction that did something can report. */
export interface ReceiptDetails {
  readonly reason: string;
  readonly notes?: readonly string[];
  readonly plan?: CompactPlan;
  readonly view?: AssembledView;
  readonly audit?: FactAudit;
  /** The model's part in it. */
  readonly summary?: Summarized;
}

export interface ReceiptInput {
  readonly outcome: Outcome;
  readonly refusal: RefusalReason | null;
  readonly smallestTarget: number | null;
  readonly conversation: Conversation;
  readonly details: ReceiptDetails;
  readonly before: Conversation;
  readonly measure: Measure;
  readonly limits: Limits;
  readonly fixed: Fixed;
  readonly ms: number;
}

/** Makes the receipt of a compaction. Every size is measured, on the input and on the output. */
export function makeReceipt(input: ReceiptInput): Receipt {
  const { before, conversation: after, details, measure, limits, fixed } = input;
  const { output } = limits;
  const account = {
    before: accountFor({ messages: before.messages, measure, fixed, output }),
    after: accountFor({ messages: after.messages, measure, fixed, output }),
  };
  const changed = before.messages.findIndex((message, index) => message !== after.messages[index]);
  const first = before === after ? -1 : changed < 0 ? before.messages.length : changed;
  return {
    version: 1,
    outcome: input.outcome,
    reason: details.reason,
    tokens: {
      before: account.before.total,
      after: account.after.total,
      window: limits.window,
      threshold: limits.threshold,
      target: limits.foldTarget,
    },
    account,
    messages: { before: before.messages.length, after: after.messages.length },
    facts: details.audit?.counts ?? { critical: 0, kept: 0, recoverable: 0, lost: 0 },
    cache: {
      earliestChangedIndex: first,
      invalidatedTokens: first < 0 ? 0 : measure.messages(before.messages.slice(first)),
    },
    edits: details.plan === undefined || details.view === undefined ? [] : editsOf(details.plan, details.view, measure),
    writer: writerOf(details),
    refusal: input.refusal === null ? null : { reason: input.refusal, smallestTarget: input.smallestTarget },
    calls: details.summary?.calls ?? [],
    checkpoint: null,
    notes: details.notes ?? [],
    ms: input.ms,
  };
}

function writerOf({ view, summary, audit }: ReceiptDetails): Receipt['writer'] {
  if (view === undefined || view.handoff === null) return { kind: 'none', model: null, attempts: 0, validation: {} };
  const validation = { ...audit?.validation, ...summary?.validation };
  const byModel = summary?.asked === true && summary.outcome !== 'fell-back';
  return {
    kind: byModel ? 'model' : 'extractive',
    model: summary?.model ?? null,
    attempts: summary?.calls.length ?? 1,
    validation,
  };
}
