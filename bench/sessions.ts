import { readFileSync } from 'node:fs';
import type { Conversation } from '../src/core/conversation/conversation.ts';
import type { Measure } from '../src/core/tokens/measure.ts';
import { openaiChat } from '../src/formats/index.ts';

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

/**
 * A long session of about the wanted size: the shipped coding session over and over, with other names, numbers and ids each time, so that
 * neither duplicates nor repeated terms make the work easier than it is.
 */
export function longSession(tokens: number, measure: Measure): Conversation {
  const file = new URL('../fixtures/rate-limiter/session.json', import.meta.url);
  const { messages } = JSON.parse(readFileSync(file, 'utf8')) as { readonly messages: readonly WireMessage[] };
  const [system, ...rest] = messages;
  const round = measure.messages(openaiChat.decode(rest).conversation.messages);
  const rounds = Math.max(1, Math.round(tokens / round));
  const long = Array.from(
    { length: rounds },
    (_, index) => JSON.parse(vary(JSON.stringify(rest), index)) as readonly WireMessage[],
  );
  return openaiChat.decode({ messages: [system, ...long.flat()] }).conversation;
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
