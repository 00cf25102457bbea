import { withoutLift } from '../language/classify.ts';
import { Vocabulary } from '../language/terms.ts';
import type { FoundFact } from './fact.ts';

/** Share of what the words are about that a rule must be about, too. */
const SAME_TOPIC = 0.5;

/** Marks the constraints among the facts that a user's words take back: those about the same things. A retraction needs an object. */
export function liftConstraints(facts: FoundFact[], words: string): void {
  const vocabulary = new Vocabulary();
  const topic = vocabulary.terms(withoutLift(words).replace(RULE_WORDS, ' '));
  if (topic.length === 0) return;
  for (const [at, fact] of facts.entries()) {
    if (fact.kind !== 'constraint' || fact.status === 'lifted') continue;
    const terms = new Set(vocabulary.terms(fact.text));
    const shared = topic.filter((term) => terms.has(term));
    const names = shared.some((term) => vocabulary.sortOf(term) === 'name');
    if (names || shared.length >= topic.length * SAME_TOPIC) facts[at] = { ...fact, status: 'lifted' };
  }
}

const RULE_WORDS = /\b(?:rules?|restrictions?|constraints?|requirements?|anymore|any more|now|please|about)\b/gi;
