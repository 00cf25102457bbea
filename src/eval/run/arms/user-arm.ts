import { type Conversation, withMessages } from '../../../core/conversation/conversation.ts';
import type { Message } from '../../../core/conversation/message.ts';
import { PrecisError } from '../../../core/errors.ts';
import type { Format } from '../../../core/format.ts';
import { type ArmInput, blankResult, checkedState, type State } from './state.ts';

/** A compactor of your own: plain messages in, plain messages out. When it throws, its state is invalid. */
export interface UserArm {
  /** Its name in results; it must not be one of `ARMS`. */
  readonly name: string;
  /** Returns fewer or shorter messages, in the format they came in: a list, or an object with `messages`. */
  compact(messages: readonly unknown[], info: UserArmInfo): Promise<unknown>;
}

/** Facts about one compaction. */
export interface UserArmInfo {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Size the result should not exceed, in tokens. */
  readonly target: number;
  /** Number of this compaction in the row, counted from 1. */
  readonly pass: number;
  /** Compactions in a row. */
  readonly passes: number;
  /** Number of the run, counted from 1. */
  readonly run: number;
}

/** Converts messages for compactors of others, and back. */
export interface PlainMessages {
  /** Writes messages as the compactor reads them. */
  to(conversation: Conversation): readonly unknown[];
  /** Reads the messages that the compactor returned. Throws when they are not a list of messages. */
  from(messages: unknown): Conversation;
}

/**
 * Converts messages to and from one format, whatever the format of the session. Pass `openaiChat` and `convert` of `precis` for the messages
 * that most compactors take.
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

/** Makes the states of a user's compactor. After a failure, the later states fail too. */
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
