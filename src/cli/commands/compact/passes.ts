import type { Context } from '../../../context/context.ts';
import { type Compaction, compact } from '../../../core/compact.ts';
import { append, type Conversation } from '../../../core/conversation/conversation.ts';
import { splitSteps } from '../../../core/conversation/steps.ts';
import type { Format } from '../../../core/format.ts';
import type { ModelCall } from '../../../core/model.ts';
import type { CompactOptions } from '../../../core/options.ts';
import type { Receipt } from '../../../core/receipt/receipt.ts';
import { accountFor } from '../../../core/tokens/account.ts';
import { heuristicCounter } from '../../../core/tokens/counter.ts';
import { createMeasure } from '../../../core/tokens/measure.ts';

/** Keeps the history and every view. */
export type Keeper = Pick<Context, 'absorb' | 'accept'>;

export interface PassesInput {
  readonly conversation: Conversation;
  readonly format: Format;
  readonly passes: number;
  readonly options: CompactOptions;
  /** Keeps the history and every view; absent when nothing is kept. */
  readonly keeper?: Keeper;
  /** Called before each pass. */
  readonly onStart: (pass: number, passes: number) => void;
  /** Called after each pass. */
  readonly onPass: (pass: number, passes: number, compaction: Compaction) => void;
}

/**
 * Compacts as in a live session: the conversation arrives in as many parts as there are passes, split between steps, and is
 * compacted after each. Returns the last compaction, with a receipt for all passes.
 */
export async function compactInPasses(input: PassesInput): Promise<Compaction> {
  const { conversation, onStart, onPass } = input;
  const steps = splitSteps(conversation.messages);
  const passes = Math.max(1, Math.min(input.passes, steps.length));
  if (passes === 1) {
    onStart(1, 1);
    const only = await compactAndKeep(input, conversation, conversation);
    onPass(1, 1, only);
    return only;
  }
  let view: Conversation = { ...conversation, messages: [] };
  let last: Compaction | null = null;
  let changed: Receipt | null = null;
  const calls: ModelCall[] = [];
  let done = 0;
  for (let pass = 1; pass <= passes; pass++) {
    onStart(pass, passes);
    const until = steps[Math.floor((steps.length * pass) / passes) - 1]?.to ?? conversation.messages.length;
    last = await compactAndKeep(input, append(view, conversation.messages.slice(done, until)), {
      ...conversation,
      messages: conversation.messages.slice(0, until),
    });
    if (last.receipt.edits.length > 0) changed = last.receipt;
    calls.push(...last.receipt.calls);
    onPass(pass, passes, last);
    done = until;
    view = last.conversation;
  }
  if (last === null) throw new Error('a conversation has at least one step');
  return last.outcome === 'refused' || changed === null ? last : wholeOf(input, last, { ...changed, calls });
}

/** One compaction. The keeper absorbs the history before the view changes. */
async function compactAndKeep(
  { format, options, keeper }: PassesInput,
  view: Conversation,
  said: Conversation,
): Promise<Compaction> {
  await keeper?.absorb(said);
  const made = await compact(view, format, options);
  const id = (await keeper?.accept(made)) ?? null;
  return id === null ? made : { ...made, receipt: { ...made.receipt, checkpoint: id } };
}

/** The receipt of all passes together: sizes from the first message on, the rest from the last pass that changed something. */
function wholeOf({ conversation, options }: PassesInput, last: Compaction, changed: Receipt): Compaction {
  const measure = createMeasure(options.counter ?? heuristicCounter, options.tokenFactor ?? 1);
  const { after } = last.receipt.account;
  const { tools, provider, output } = after;
  const before = accountFor({ messages: conversation.messages, measure, fixed: { tools, provider }, output });
  const receipt: Receipt = {
    ...changed,
    tokens: { ...last.receipt.tokens, before: before.total },
    account: { before, after },
    messages: { before: conversation.messages.length, after: last.receipt.messages.after },
  };
  return { ...last, outcome: changed.outcome, receipt };
}
