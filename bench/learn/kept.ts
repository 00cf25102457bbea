import { compact } from '../../src/core/compact.ts';
import { type Message, resultTextOf } from '../../src/core/conversation/message.ts';
import { parseArguments, stringLeaves } from '../../src/core/record/calls/call-arguments.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import type { LearnedWorth } from '../../src/core/worth/weigh.ts';
import { o200k } from '../../src/models/o200k.ts';
import { folded } from '../peers/text.ts';
import type { LabelledFact, LabelledSession } from './labelled.ts';

/** One fact at one target: was it in the view? */
export interface KeptRow {
  readonly session: LabelledSession;
  readonly fact: LabelledFact;
  readonly target: string;
  readonly kept: boolean;
}

const measure = createMeasure(o200k);
const SMALLEST_TARGET = 4_000;
/** A system prompt that takes more than this share of the target stands next to it. */
const SYSTEM_SHARE = 0.3;

/** Compacts a session to each target, and says which facts are literally in the view. */
export async function keptIn(
  session: LabelledSession,
  targets: readonly string[],
  learned: LearnedWorth,
): Promise<readonly KeptRow[]> {
  const counts = new WeakMap<Message, number>();
  const rows: KeptRow[] = [];
  for (const target of targets) {
    const tokens = targetTokens(session.conversation.messages, target);
    const window = Math.max(128_000, tokens * 2);
    const options = { target: tokens, window, counter: o200k, counts, learned };
    const { conversation, outcome } = await compact(session.conversation, session.format, options);
    const text = folded(conversation.messages.map(wordsOf).join(' '));
    for (const fact of session.facts) {
      const kept = outcome !== 'refused' && fact.needles.every((needle) => text.includes(folded(needle)));
      rows.push({ session, fact, target, kept });
    }
  }
  return rows;
}

/** `10` is a tenth of the session, `2000t` two thousand tokens. */
export function targetTokens(messages: readonly Message[], target: string): number {
  const absolute = target.endsWith('t');
  const of = (tokens: number): number =>
    absolute ? Number.parseInt(target, 10) : Math.max(SMALLEST_TARGET, Math.round((tokens * Number(target)) / 100));
  const all = measure.messages(messages);
  const first = messages.findIndex(({ role }) => role === 'user');
  const fixed = measure.messages(messages.slice(0, Math.max(0, first)).filter(({ role }) => role === 'system'));
  const plain = of(all);
  return fixed > (absolute ? 0 : SYSTEM_SHARE * plain) ? fixed + of(all - fixed) : plain;
}

function wordsOf({ parts }: Message): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'tool-result') return resultTextOf(part);
      if (part.type !== 'tool-call') return '';
      const leaves = stringLeaves(parseArguments(part.arguments), () => false).map(({ value }) => value);
      return [part.name, part.arguments, ...leaves].join(' ');
    })
    .join(' ');
}

export function sessionTokens({ conversation }: LabelledSession): number {
  return measure.messages(conversation.messages);
}
