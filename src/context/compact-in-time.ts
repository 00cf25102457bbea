import { type Compaction, compact as compactInCore } from '../core/compact.ts';
import type { Conversation } from '../core/conversation/conversation.ts';
import type { SoundnessRules } from '../core/conversation/sound.ts';
import type { CompactOptions } from '../core/options.ts';
import { limitSummaryTime } from '../models/limit-summary-time.ts';

/**
 * Compacts a conversation: measure, plan, fit a view, let a model write if there is one, check, receipt. Whatever happens, the result is sound
 * and never larger than the input. A model that does not answer within `summaryTimeoutMs` is left behind.
 *
 * @param rules the conversation's format, which knows what is sound
 */
export async function compact(
  conversation: Conversation,
  rules: SoundnessRules,
  options: CompactOptions = {},
): Promise<Compaction> {
  return compactInCore(conversation, rules, limitSummaryTime(options));
}
