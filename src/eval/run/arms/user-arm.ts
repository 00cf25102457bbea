import { type Conversation, withMessages } from '../../../core/conversation/conversation.ts';
import type { Message } from '../../../core/conversation/message.ts';
import { PrecisError } from '../../../core/errors.ts';
import type { Format } from '../../../core/format.ts';
import { type ArmInput, blankResult, checkedState, type State } from './state.ts';

/** A compactor of your own: plain messages in, plain messages out. Whatever it throws makes its state invalid. */
export interface UserArm {
  /** Its name in results, other than those of `ARMS`. */
  readonly name: string;
  /** Gives fewer or shorter messages, in the format they came in: a list, or an object with `messages`. */
  compact(messages: readonly unknown[], info: UserArmInfo): Promise<unknown>;
}

/** The circumstances of one compaction. */
export interface UserArmInfo {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Size the result should not exceed, in tokens. */
  readonly target: number;
  /** Which compaction in a row it is, counted from 1. */
  readonly pass: number;
  /** Compactions in a row. */
  readonly passes: number;
  /** Which run it is, counted from 1. */
  readonly run: number;
}

/** How messages get to compactors of others and back. */
export interface PlainMessages {
  /** Writes messages as the compactor reads them. */
  to(conversation: Conversation): readonly unknown[];
  /** Reads what the compactor gave back. Throws when it is no list of messages. */
  from(messages: unknown): Conversation;
}

/**
 * Messages in one format, whatever the session is written in. Pass `openaiChat` and `convert` of `precis` for the messages that most
 * compactors take.
 */
export function plainMessages(
  format: Format,
  convert: (conversation: Conversation, to: Format) => { readonly wire: unknown },
): PlainMessages {
  return {
    to: (conversation) => listOf(convert(conversation, format).wire) ?? [],
    from: (given) => {
      const messages = listOf(given);
      if (messages === null) throw new Error('expected a list of messages, or an object with `messages`');
      return format.decode(messages).conversation;
    },
  };
}

function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const inside = typeof value === 'object' && value !== null ? (value as { messages?: unknown }).messages : null;
  return Array.isArray(inside) ? inside : null;
}

/** The states of a compactor. Once it has failed there is nothing to go on with. */
export async function userStates(armInput: ArmInput, arm: UserArm): Promise<readonly State[]> {
  const { planned, run, ports, measure, passEnds } = armInput;
  const { conversation, fixture, target } = planned;
  const states: State[] = [];
  let messages: readonly unknown[] = [];
  let broken: string | null = null;
  let done = 0;
  for (const [at, said] of passEnds.entries()) {
    const started = ports.now();
    let view: readonly Message[] = [];
    try {
      if (broken !== null) throw new Error(broken);
      const added = ports.plain.to(withMessages(conversation, conversation.messages.slice(done, said)));
      const info = { fixture: fixture.name, target, pass: at + 1, passes: passEnds.length, run };
      const given = await arm.compact([...messages, ...added], info);
      view = ports.plain.from(given).messages;
      if (view.length === 0) throw new Error('it gave back no messages');
      messages = given as readonly unknown[];
    } catch (error) {
      if (PrecisError.is(error) && error.code === 'aborted') throw error;
      broken = error instanceof Error ? error.message : String(error);
    }
    const result = {
      ...blankResult({ arm: arm.name, role: 'candidate', pass: at + 1 }),
      tokens: measure.messages(view),
      tokensOfSource: measure.messages(conversation.messages.slice(0, said)),
      usd: null,
      ms: Math.round(ports.now() - started),
      invalid: broken === null ? null : `failed: ${broken.slice(0, 300)}`,
    };
    states.push(checkedState({ result, messages: view, said, recalls: false }, armInput));
    done = said;
  }
  return states;
}
