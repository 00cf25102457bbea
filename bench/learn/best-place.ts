import { recordHistory } from '../../src/core/facts/history-record.ts';
import type { Voice } from '../../src/core/language/voice.ts';
import { folded } from '../peers/text.ts';
import type { LabelledFact, LabelledSession } from './labelled.ts';

/** Voices, from the one that is kept best to the one that is kept worst. */
const ORDER: readonly Voice[] = [
  'user',
  'assistant',
  'report',
  'rules',
  'host',
  'argument',
  'output',
  'content',
  'removed',
];

/** For each fact, the best voice that says a needle of it; `several` when no passage holds a whole needle. */
export function bestPlaces({ conversation, facts }: LabelledSession): ReadonlyMap<LabelledFact, string> {
  const texts = new Map<Voice, string[]>();
  for (const { passages } of recordHistory(conversation.messages).entries)
    for (const { voice, text } of passages) {
      const own = texts.get(voice) ?? [];
      own.push(folded(text));
      texts.set(voice, own);
    }
  const says = (voice: Voice, { needles }: LabelledFact): boolean =>
    needles.some((needle) => texts.get(voice)?.some((text) => text.includes(folded(needle))) ?? false);
  return new Map(facts.map((fact) => [fact, ORDER.find((voice) => says(voice, fact)) ?? 'several']));
}
