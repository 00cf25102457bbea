import type { Conversation } from '../conversation/conversation.ts';
import type { CompactPlan, RefusalReason } from '../plan/plan.ts';
import type { Summarized } from '../summary/summarize.ts';
import type { Measure } from '../tokens/measure.ts';
import type { Limits } from '../tokens/window.ts';
import type { AssembledView } from '../view/assemble.ts';
import type { FactAudit } from './audit.ts';
import { editsOf } from './edits.ts';
import type { Outcome, Receipt } from './receipt.ts';

/** What only a compaction that did something has to tell. */
export interface ReceiptDetails {
  readonly reason: string;
  readonly plan?: CompactPlan;
  readonly view?: AssembledView;
  readonly audit?: FactAudit;
  /** What a model had to do with it. */
  readonly written?: Summarized;
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
  readonly ms: number;
}

/** The receipt of a compaction, every number measured on what came in and what goes out. */
export function makeReceipt(input: ReceiptInput): Receipt {
  const { before, conversation: after, details, measure, limits } = input;
  const changed = before.messages.findIndex((message, index) => message !== after.messages[index]);
  const first = before === after ? -1 : changed < 0 ? before.messages.length : changed;
  return {
    version: 1,
    outcome: input.outcome,
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
    writer: writerOf(details),
    refusal: input.refusal === null ? null : { reason: input.refusal, smallestTarget: input.smallestTarget },
    calls: details.written?.calls ?? [],
    checkpoint: null,
    notes: [],
    ms: input.ms,
  };
}

function writerOf({ view, written, audit }: ReceiptDetails): Receipt['writer'] {
  if (view === undefined || view.handoff === null) return { kind: 'none', model: null, attempts: 0, validation: {} };
  const validation = { ...audit?.validation, ...written?.validation };
  const byModel = written?.asked === true && written.outcome !== 'fell-back';
  return {
    kind: byModel ? 'model' : 'extractive',
    model: written?.model ?? null,
    attempts: written?.calls.length ?? 1,
    validation,
  };
}
