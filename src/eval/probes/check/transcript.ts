import type { Message } from '../../../core/conversation/message.ts';
import type { Fact } from '../../../core/facts/fact.ts';
import type { TokenCounter } from '../../../core/tokens/counter.ts';
import { ledgerOf } from '../../../core/worth/judge-facts.ts';
import { type Haystack, haystackOf } from '../../survival/match/haystack.ts';
import { matchFact } from '../../survival/match/match.ts';
import { messageText } from '../../survival/view-text.ts';
import type { ExpectedFact, ProbeFactKind, Span } from '../../types.ts';
import { type Region, regionsOf } from './regions.ts';

/** A session that is prepared for looking up facts. */
export interface Transcript {
  readonly messages: readonly Message[];
  readonly texts: readonly string[];
  readonly hays: readonly Haystack[];
  readonly whole: Haystack;
  readonly regions: readonly Region[];
  /** The facts that the engine's ledger finds in the session. */
  readonly ledger: readonly Fact[];
}

export function transcriptOf(messages: readonly Message[], counter?: TokenCounter): Transcript {
  const texts = messages.map(messageText);
  return {
    messages,
    texts,
    hays: texts.map(haystackOf),
    whole: haystackOf(texts.join('\n\n')),
    regions: regionsOf(messages, counter),
    ledger: ledgerOf(messages).facts,
  };
}

export interface SoughtValue {
  readonly value: string;
  readonly kind: ProbeFactKind;
  /** The question of the probe. A short number counts only near one of its words. */
  readonly question: string;
}

/** Lists the messages that state a value as a fact of this kind, in order. */
export function messagesWith({ value, kind, question }: SoughtValue, { hays }: Transcript): readonly number[] {
  const fact: ExpectedFact = { value, kind, aliases: [], stale: [], forbidden: [], weight: 'vital', spans: [] };
  return hays.flatMap((hay, index) => {
    const { outcome } = matchFact(fact, hay, { question });
    return outcome === 'verbatim' || (outcome === 'normalised' && mayBeRespelled(kind)) ? [index] : [];
  });
}

/** Says whether a value of this kind means the same in another spelling. */
function mayBeRespelled(kind: ProbeFactKind): boolean {
  return kind === 'path' || kind === 'hash' || kind === 'url' || kind === 'identifier' || kind === 'number';
}

/** Finds a value letter for letter: its first place in each message. */
export function spansOf(value: string, { texts }: Pick<Transcript, 'texts'>): readonly Span[] {
  return texts.flatMap((text, message) => {
    const start = text.indexOf(value);
    return start < 0 ? [] : [{ message, start, end: start + value.length }];
  });
}
