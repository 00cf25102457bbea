import { readFileSync } from 'node:fs';
import type { Conversation } from '../src/core/conversation/conversation.ts';
import type { Measure } from '../src/core/tokens/measure.ts';
import { openaiChat } from '../src/formats/index.ts';

export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

/**
 * A long session of about the wanted size: the shipped coding session over and over, with other names, numbers and ids each time, so that
 * neither duplicates nor repeated terms make the work easier than it is. Always a whole number of rounds.
 */
export function longSession(tokens: number, measure: Measure): Conversation {
  return openaiChat.decode({ messages: longWire(tokens, measure) }).conversation;
}

/** The same as the messages of a request. */
export function longWire(tokens: number, measure: Measure): readonly WireMessage[] {
  const [system, ...rest] = shipped();
  if (system === undefined) return [];
  const round = measure.messages(openaiChat.decode(rest).conversation.messages);
  const rounds = Math.max(1, Math.round(tokens / round));
  const long = Array.from(
    { length: rounds },
    (_, index) => JSON.parse(vary(JSON.stringify(rest), index)) as readonly WireMessage[],
  );
  return [system, ...long.flat()];
}

/** A session cut where it has reached the wanted size: before a message that no call waits for. */
export function wireOfSize(tokens: number, measure: Measure): readonly WireMessage[] {
  const wire = longWire(tokens * 1.1 + 60_000, measure);
  const { messages } = openaiChat.decode({ messages: wire }).conversation;
  let size = 0;
  const end = wire.findIndex((message, index) => {
    const enough = size >= tokens && message.role !== 'tool';
    const decoded = messages[index];
    size += decoded === undefined ? 0 : measure.message(decoded);
    return enough;
  });
  return end < 0 ? wire : wire.slice(0, end);
}

function shipped(): readonly WireMessage[] {
  const file = new URL('../fixtures/rate-limiter/session.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly messages: readonly WireMessage[] }).messages;
}

function vary(json: string, round: number): string {
  if (round === 0) return json;
  return json
    .replaceAll(/\b([a-z]{4,}[A-Z]\w+)\b/g, `$1${round}`)
    .replaceAll(/\b([\w-]+)\.(ts|json|md)\b/g, `$1-${round}.$2`)
    .replaceAll(/\b(\d{3,6})\b/g, (digits) =>
      String((Number(digits) * 7 + round * 13) % 10 ** digits.length).padStart(digits.length, '1'),
    );
}
