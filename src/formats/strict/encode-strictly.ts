import type { Conversation } from '../../core/conversation/conversation.ts';
import { checkSound } from '../../core/conversation/sound.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Format } from '../../core/format.ts';
import { alternateRoles } from './alternate-roles.ts';
import { renameCalls } from './rename-calls.ts';

/** Demands of a server beyond the rules of its format. Nothing is demanded by default. */
export interface StrictOptions {
  /** The server wants user and assistant in turns, one system prompt, and the user first. @default false */
  readonly alternate?: boolean;
  /** Most characters of a call id, at least 8. Longer ids, and ids with other characters than `a-z A-Z 0-9 _ -`, get a short form. Absent: ids stay. */
  readonly idChars?: number;
  /** The server wants names of tools that match `^[a-zA-Z0-9_-]{1,64}$`. @default false */
  readonly names?: boolean;
}

/** Something that was changed for a strict server. */
export interface StrictNote {
  /** Index of the message in the conversation that was given. */
  readonly message: number;
  /** What was changed, for people. */
  readonly text: string;
}

/** A conversation on the wire of a strict server. */
export interface StrictlyEncoded {
  /** The wire value. It is the one that the conversation came from when nothing had to change. */
  readonly wire: unknown;
  /** Each change, in message order; empty when nothing had to change. */
  readonly notes: readonly StrictNote[];
}

/**
 * Encodes a conversation for a server that demands more than its format does. The same messages give the same bytes every time, so prompt caches
 * hold. A request whose history is on a server stays as it is. Throws a `PrecisError` with code `unsound` for a conversation that breaks a rule.
 *
 * @example
 * ```ts
 * const { wire, notes } = encodeStrictly(openaiChat, conversation, { alternate: true, idChars: 40 });
 * ```
 */
export function encodeStrictly(format: Format, conversation: Conversation, options: StrictOptions): StrictlyEncoded {
  const { alternate = false, idChars, names = false } = options;
  if (idChars !== undefined && !(Number.isInteger(idChars) && idChars >= LEAST_ID_CHARS))
    throw new PrecisError(
      'bad-option',
      `Expected \`idChars\` to be an integer of ${LEAST_ID_CHARS} or more, got \`${String(idChars)}\` (${typeof idChars})`,
      { option: 'idChars' },
    );
  if (format.surroundings(conversation).server !== null) return { wire: encoded(format, conversation), notes: [] };
  const turns = alternate ? alternateRoles(conversation) : { conversation, notes: [] };
  const wire = encoded(format, turns.conversation);
  const renamed = renameCalls(wire, conversation, { idChars: idChars ?? null, names });
  const notes = [...turns.notes, ...renamed.notes].toSorted((one, other) => one.message - other.message);
  return { wire: renamed.wire, notes };
}

/** Fewer characters would let two ids of a conversation get the same short form. */
const LEAST_ID_CHARS = 8;

function encoded(format: Format, conversation: Conversation): unknown {
  const checked = checkSound(conversation, format);
  if (checked.type === 'sound') return format.encode(checked.conversation);
  const [issue] = checked.issues;
  throw new PrecisError('unsound', `the conversation breaks ${issue?.rule}: ${issue?.text}`, {
    issues: checked.issues,
  });
}
