import { contentHash } from '../../core/conversation/hash.ts';
import { type Message, toolResultsOf } from '../../core/conversation/message.ts';
import { fingerprintOf } from '../../core/conversation/ref.ts';
import type { Trace } from '../trace/trace.ts';

/** A message of a replayed view: an original, by its index in the conversation, or a replacement. */
export interface ReplayItem {
  /** Index of the original in the conversation, from 0; null for a summary or note. */
  readonly index: number | null;
  /** The same for equal bytes. */
  readonly id: string;
  /** Size in tokens. */
  readonly tokens: number;
  /** Role of the message. */
  readonly role: Message['role'];
  /** True for tool output that a policy may clear. */
  readonly isOutput: boolean;
  /** The message itself; null where only its size is known, as for a summary that no model wrote. */
  readonly message: Message | null;
  /** Content blocks on the wire. @default 1 */
  readonly parts?: number;
}

const known = new WeakMap<Trace, readonly ReplayItem[]>();

/** Returns the messages of a trace as items of a view. They are made once for each trace. */
export function itemsOf(trace: Trace): readonly ReplayItem[] {
  const made =
    known.get(trace) ??
    trace.conversation.messages.map((message, index) => itemOf(message, trace.tokens[index] ?? 0, index));
  known.set(trace, made);
  return made;
}

export function itemOf(message: Message, tokens: number, index: number | null = null): ReplayItem {
  return {
    index,
    id: contentHash(fingerprintOf(message)),
    tokens,
    role: message.role,
    isOutput: toolResultsOf(message).length > 0,
    message,
    parts: Math.max(1, message.parts.length),
  };
}

/** Returns the indexes of the original messages that the view holds unchanged. */
export function unchangedIn(view: readonly ReplayItem[], trace: Trace): ReadonlySet<number> {
  const originals = itemsOf(trace);
  const unchanged = new Set<number>();
  for (const { index, id } of view) if (index !== null && originals[index]?.id === id) unchanged.add(index);
  return unchanged;
}
