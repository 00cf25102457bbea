import { type Compaction, compact } from '../core/compact.ts';
import { append, type Conversation } from '../core/conversation/conversation.ts';
import { splitSteps } from '../core/conversation/steps.ts';
import type { Format } from '../core/format.ts';
import type { CompactOptions } from '../core/options.ts';

export interface PassesInput {
  readonly conversation: Conversation;
  readonly format: Format;
  readonly passes: number;
  readonly options: CompactOptions;
  readonly onPass: (pass: number, compaction: Compaction) => void;
}

/**
 * Compacts the way a living session would: the conversation comes in as many parts as there are passes, cut between steps, and is compacted
 * after each. Gives the last compaction.
 */
export async function compactInPasses({
  conversation,
  format,
  passes,
  options,
  onPass,
}: PassesInput): Promise<Compaction> {
  const steps = splitSteps(conversation.messages);
  const parts = Math.min(passes, steps.length);
  let view: Conversation = { ...conversation, messages: [] };
  let last: Compaction | null = null;
  let done = 0;
  for (let pass = 1; pass <= parts; pass++) {
    const until = steps[Math.floor((steps.length * pass) / parts) - 1]?.to ?? conversation.messages.length;
    view = parts === 1 ? conversation : append(view, conversation.messages.slice(done, until));
    done = until;
    last = await compact(view, format, options);
    onPass(pass, last);
    view = last.conversation;
  }
  return last ?? compact(conversation, format, options);
}
