import { type Compaction, compact } from '../../../core/compact.ts';
import { contentHash } from '../../../core/conversation/hash.ts';
import type { Message } from '../../../core/conversation/message.ts';
import { PrecisError } from '../../../core/errors.ts';
import type { CompactOptions } from '../../../core/options.ts';
import { afterCompaction, afterRefusal, type GuardState, isHeld, NO_GUARD } from '../../../core/plan/guard.ts';
import { createCallIndex, shownForm, type TrimOptions } from '../../../core/reduce/insertion.ts';
import { createMeasure } from '../../../core/tokens/measure.ts';
import { type LimitsInput, limitsFor } from '../../../core/tokens/window.ts';
import { tokensOf } from '../../cache/block.ts';
import { itemOf, type ReplayItem } from '../../view/item.ts';
import type { Change, EngineSetup, PolicyRun, PolicySetup, PolicyView, Rejection } from '../policy.ts';

/** Options of `engineRun`. */
export interface EngineOptions {
  /** Trims results as they come in. @default never */
  readonly trim?: TrimOptions;
  /** Limits of the engine. @default its own defaults for the window */
  readonly limits?: LimitsInput;
  /** Asks for a compaction below the threshold as well. Sizes are in tokens, without system prompt and tools. @default never */
  readonly isDue?: (view: PolicyView, sizes: { readonly tokens: number; readonly foldTarget: number }) => boolean;
}

/** Smallest window that the engine accepts. */
const SMALLEST_WINDOW = 16;

/** Runs the precis engine as a policy, without a model. Call it in a policy's `start`, with limits of your own. */
export function engineRun(setup: PolicySetup, { trim, limits: input, isDue }: EngineOptions = {}): PolicyRun {
  const counter = { id: 'replay', count: setup.count };
  const { counts, memo } = setup.engine;
  const measure = createMeasure(counter, 1, { counts });
  const window = Math.max(SMALLEST_WINDOW, setup.window - setup.fixedTokens);
  const sizes = { ...input, window };
  const limits = limitsFor(sizes);
  const calls = createCallIndex();
  const shown = new Map<Message, Message>();
  let guard: GuardState = NO_GUARD;
  let said = 0;

  const insert = (item: ReplayItem, message: Message): ReplayItem => {
    said += item.tokens;
    if (trim === undefined) return item;
    calls.learn(message);
    const short = shownForm(message, calls, { trim, counter });
    if (short === message) return item;
    shown.set(message, short);
    return itemOf(short, measure.message(short), item.index);
  };

  const before = async (view: PolicyView): Promise<Change | Rejection | null> => {
    const tokens = view.tokens - setup.fixedTokens;
    const isEarly = tokens <= limits.threshold;
    if (isEarly && isDue?.(view, { tokens, foldTarget: limits.foldTarget }) !== true) return null;
    if (isHeld(guard, said)) return { rejected: `held back: ${guard.reason ?? 'it would free too little'}` };
    const items = new Map<Message, ReplayItem>();
    for (const item of view.view) if (item.message !== null) items.set(item.message, item);
    const key = contentHash(
      `${window} ${isEarly} ${JSON.stringify(input ?? null)} ${view.view.map(({ id }) => id).join(' ')}`,
    );
    const known = memo.get(key) as Compaction | null | undefined;
    const made =
      known === undefined
        ? await compactView(view, setup.engine, { shown, ...sizes, counter, counts, force: isEarly })
        : known;
    memo.set(key, made);
    if (made === null) return { rejected: 'the recorded messages are not sound' };
    const { conversation, outcome, receipt, refusal } = made;
    const next = conversation.messages.map(
      (message) => items.get(message) ?? itemOf(message, measure.message(message)),
    );
    const isChanged = outcome !== 'refused' && outcome !== 'unchanged';
    const { threshold, rearm } = limits;
    guard = isChanged
      ? afterCompaction({ after: tokensOf(next), threshold, said, rearm })
      : afterRefusal(receipt.reason, said, rearm);
    if (!isChanged) return { rejected: refusal ?? receipt.reason };
    const op = outcome === 'condensed' ? 'prune' : outcome === 'trimmed' ? 'trim' : 'summary';
    return { op, view: next, calls: [], reason: receipt.reason };
  };

  return { insert, before };
}

interface EngineInput extends CompactOptions {
  /** Messages that entered the view trimmed. */
  readonly shown: ReadonlyMap<Message, Message>;
}

/** Runs the engine on a view. Returns null when the recorded messages are not sound. */
async function compactView(
  { view, history }: PolicyView,
  { format, envelope, soundness }: EngineSetup,
  { shown, ...options }: EngineInput,
): Promise<Compaction | null> {
  const conversation = {
    format,
    messages: view.flatMap(({ message }) => (message === null ? [] : [message])),
    history,
    ...(shown.size === 0 ? {} : { shown }),
    ...(envelope === undefined ? {} : { envelope }),
  };
  try {
    // The window here is that of the messages: system prompt and tools are subtracted already. Signed reasoning would block every cut within a turn, and whole sessions are one turn.
    return await compact(conversation, soundness, { ...options, fixedTokens: 0, openReasoning: 'strip' });
  } catch (error) {
    if (PrecisError.is(error) && error.code === 'unsound') return null;
    throw error;
  }
}
