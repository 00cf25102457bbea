import { recordHistory } from '../../src/core/facts/history-record.ts';
import type { Feature } from '../../src/core/worth/feature.ts';
import { inContext, isSpeaker, PASSAGE_FEATURES } from '../../src/core/worth/passage-features.ts';
import { survey } from '../../src/core/worth/survey.ts';
import { TERM_FEATURES } from '../../src/core/worth/term-features.ts';
import { creditsOf } from './credit.ts';
import type { LabelledSession } from './labelled.ts';

/** All features of one session's passages or terms, with the credit to predict. */
export interface Table {
  readonly source: string;
  readonly names: readonly string[];
  readonly columns: readonly Float64Array[];
  readonly credits: Float64Array;
}

/** The tables of one session. */
export interface SessionTables {
  readonly passages: Table;
  readonly terms: Table;
}

export function tablesOf({ source, conversation, facts }: LabelledSession): SessionTables {
  const surveyed = survey(recordHistory(conversation.messages).entries.filter(({ type }) => type !== 'summed'));
  const credits = creditsOf(surveyed, facts);
  const { terms, vocabulary } = surveyed;
  const told = surveyed.passages.flatMap((passage, at) => {
    const item = inContext(surveyed, passage);
    return isSpeaker(item) ? [] : [{ item, at }];
  });
  const used = terms.flatMap((uses, at) => (uses.entries === 0 ? [] : [{ uses, at }]));
  return {
    passages: {
      source,
      ...columnsOf(
        PASSAGE_FEATURES,
        told.map(({ item }) => item),
      ),
      credits: Float64Array.from(told, ({ at }) => credits.passages[at] ?? 0),
    },
    terms: {
      source,
      ...columnsOf(
        TERM_FEATURES,
        used.map(({ uses, at }) => ({
          survey: surveyed,
          uses,
          text: vocabulary.textOf(at),
          sort: vocabulary.sortOf(at),
        })),
      ),
      credits: Float64Array.from(used, ({ at }) => credits.terms[at] ?? 0),
    },
  };
}

function columnsOf<Item>(
  features: readonly Feature<Item>[],
  items: readonly Item[],
): { readonly names: readonly string[]; readonly columns: readonly Float64Array[] } {
  return {
    names: features.map(({ name }) => name),
    columns: features.map(({ of }) => Float64Array.from(items, of)),
  };
}
