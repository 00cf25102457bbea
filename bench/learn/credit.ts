import type { Survey } from '../../src/core/worth/survey.ts';
import { folded } from '../peers/text.ts';
import type { LabelledFact } from './labelled.ts';

/** What a learner shall predict: for each passage and each term, how many facts it stands for. */
export interface Credits {
  readonly passages: Float64Array;
  readonly terms: Float64Array;
}

/** A lost constraint does more harm than a lost fact: the agent then does what it was told not to do. */
const CONSTRAINT_WEIGHT = 2;

/**
 * The credit of a fact is divided by the number of places that say it: otherwise everything that is said twenty times would look twenty times as
 * valuable. A fact that no single place states gives each needle its share.
 */
export function creditsOf(survey: Survey, facts: readonly LabelledFact[]): Credits {
  const texts = survey.passages.map(({ words }) => folded(words));
  const passages = new Float64Array(survey.passages.length);
  const terms = new Float64Array(survey.vocabulary.size);
  const isHeading = (at: number): boolean => {
    const passage = survey.passages[at];
    return passage?.index === -1 && survey.entries[passage.entry]?.type === 'said';
  };
  const placesOf = (needles: readonly string[]): readonly number[] =>
    texts.flatMap((text, at) => (!isHeading(at) && needles.every((needle) => text.includes(needle)) ? [at] : []));
  const share = (into: Float64Array, places: readonly number[], credit: number): void => {
    for (const at of places) into[at] = (into[at] ?? 0) + credit / places.length;
  };
  for (const { kind, needles: asked } of facts) {
    const weight = kind === 'constraint' ? CONSTRAINT_WEIGHT : 1;
    const needles = asked.map(folded);
    const whole = placesOf(needles);
    if (whole.length > 0) share(passages, whole, weight);
    else for (const needle of needles) share(passages, placesOf([needle]), weight / needles.length);
    for (const needle of needles) {
      const known = survey.vocabulary.terms(needle).filter((term) => (survey.terms[term]?.entries ?? 0) > 0);
      share(terms, known, 1 / needles.length);
    }
  }
  return { passages, terms };
}
