import type { Conversation } from '../../core/conversation/conversation.ts';
import { contentHash } from '../../core/conversation/hash.ts';
import { toolCallsOf } from '../../core/conversation/message.ts';
import type { StrictNote } from './encode-strictly.ts';
import { replaceInWire } from './replace-in-wire.ts';

interface RenameOptions {
  /** Most characters of an id; null when ids stay. */
  readonly idChars: number | null;
  readonly names: boolean;
}

/**
 * Gives calls ids and names that a strict server takes, wherever the wire repeats them. A new id or name depends on the old one alone, so that a
 * call and its result agree, and the same message is always written the same way.
 */
export function renameCalls(
  wire: unknown,
  { messages }: Conversation,
  { idChars, names }: RenameOptions,
): { readonly wire: unknown; readonly notes: readonly StrictNote[] } {
  const calls = messages.flatMap((message, index) => toolCallsOf(message).map((call) => ({ index, call })));
  const ids = new Map<string, string>();
  const tools = new Map<string, string>();
  for (const { call } of calls) {
    if (idChars !== null && !isLegalId(call.callId, idChars)) ids.set(call.callId, shortId(call.callId, idChars));
    if (names && !LEGAL_NAME.test(call.name)) tools.set(call.name, legalName(call.name));
  }
  if (ids.size === 0 && tools.size === 0) return { wire, notes: [] };
  const { wire: renamed, found } = replaceInWire(wire, { ids, names: tools });
  const noteOf = (
    message: number,
    what: string,
    [old, other]: readonly [string, string | undefined],
  ): readonly StrictNote[] =>
    // Ids that a format only made up for itself are not on the wire.
    other === undefined || !found.has(other) ? [] : [{ message, text: `${what} \`${old}\` became \`${other}\`` }];
  const notes = calls.flatMap(({ index, call: { callId, name } }) => [
    ...noteOf(index, 'the id of the call', [callId, ids.get(callId)]),
    ...noteOf(index, 'the name of the tool', [name, tools.get(name)]),
  ]);
  return { wire: renamed, notes };
}

const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const LONGEST_NAME = 64;

function isLegalId(id: string, most: number): boolean {
  return id.length > 0 && id.length <= most && /^[a-zA-Z0-9_-]+$/.test(id);
}

function shortId(id: string, most: number): string {
  const hash = contentHash(id);
  const whole = `call_${hash}`;
  // The last digits of the hash are the best mixed ones.
  return whole.length <= most ? whole : hash.slice(-most);
}

/** Keeps the name recognisable. A long one and one in other letters get a hash, so that two names stay two. */
function legalName(name: string): string {
  const word = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  const hash = contentHash(name);
  if (/^_*$/.test(word)) return `tool_${hash}`;
  if (word.length <= LONGEST_NAME) return word;
  return `${word.slice(0, LONGEST_NAME - hash.length - 1)}_${hash}`;
}
