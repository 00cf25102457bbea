import { append, type Conversation, withMessages } from '../../../core/conversation/conversation.ts';
import type { CompactOptions } from '../../../core/options.ts';
import { type ArmInput, blankResult, checkedState, type State, type StateName } from './state.ts';

/** The result of one compaction. */
export interface CompactedView {
  readonly view: Conversation;
  readonly calls: number;
  readonly usd: number | null;
  readonly invalid: string | null;
}

/** Compacts a session part by part. Each state is the view from which the agent would continue. */
export async function chainStates(
  armInput: ArmInput,
  name: Omit<StateName, 'pass'>,
  make: (view: Conversation) => Promise<CompactedView>,
): Promise<readonly State[]> {
  const { planned, ports, measure, passEnds } = armInput;
  const { conversation } = planned;
  const states: State[] = [];
  let view: Conversation = { ...conversation, messages: [] };
  let done = 0;
  for (const [at, said] of passEnds.entries()) {
    const given =
      done === 0
        ? withMessages(conversation, conversation.messages.slice(0, said))
        : append(view, conversation.messages.slice(done, said));
    const started = ports.now();
    const made = await make(given);
    const result = {
      ...blankResult({ ...name, pass: at + 1 }),
      tokens: measure.conversation(made.view),
      tokensOfSource: measure.messages(conversation.messages.slice(0, said)),
      calls: made.calls,
      usd: made.usd,
      ms: Math.round(ports.now() - started),
      invalid: made.invalid,
    };
    states.push(checkedState({ result, messages: made.view.messages, said, recalls: false }, armInput));
    view = made.view;
    done = said;
  }
  return states;
}

/** Returns the options of a compaction to a size, which all built-in arms share. */
export function optionsFor({ ports, counts }: ArmInput, target: number): CompactOptions {
  const { counter, now, signal } = ports;
  return {
    counter,
    counts,
    now,
    target,
    // The target decides what must fit, so the assumed window must not limit it.
    window: Math.max(128_000, target * 2),
    openReasoning: 'strip',
    // Targets are shares of the messages.
    fixedTokens: 0,
    ...(signal === undefined ? {} : { signal }),
  };
}
