/** Why another arm keeps more than precis. Only this part of the page is written by hand: a figure does not know its cause. */
import type { SurvivalRow } from '../peers/results.ts';
import { plural } from './figures.ts';

interface Cause {
  readonly applies: (row: SurvivalRow) => boolean;
  readonly words: string;
}

/** Up to this size, in tokens, the fixed parts of our view take much of the room. */
export const SMALL_VIEW = 2_000;

/** The first cause that applies wins, so special ones come first. */
const CAUSES: readonly Cause[] = [
  {
    applies: ({ behind }) => behind.length > 0 && largestBehind(behind) <= SMALL_VIEW,
    words: `precis is behind only in views of at most ${plural(SMALL_VIEW, 'token')}. There, the task, the newest steps and the handoff frame, which it never gives up, take much of the room.`,
  },
  {
    applies: ({ teller }) => teller === 'rewording',
    words:
      'A model’s lines compete with quotes for room, and get full weight only where they take little of it ([decision 17](decisions/0017-short-summaries-get-more-weight.md)). Critical facts keep their original words, whatever the model writes.',
  },
  {
    applies: ({ teller }) => teller === 'perfect',
    words:
      'The perfect summariser knows the questions, so an arm that gives it all the room gains the most. precis takes a model’s line only if the line is worth its tokens, by weights that do not know the questions.',
  },
  {
    applies: ({ kept, byAge }) => byAge.newest.kept * 2 > kept,
    words:
      'More than half of the facts it keeps come from the newest third of the sessions. Its view is mostly the newest steps, whereas precis spreads its room over all ages.',
  },
];

/** The largest view, in tokens, in which the arm keeps more than precis. */
export function largestBehind(behind: SurvivalRow['behind']): number {
  return Math.max(0, ...behind.map(({ tokens }) => tokens));
}

export const UNKNOWN = 'Not investigated yet.';

export function causeOf(row: SurvivalRow): string {
  return CAUSES.find(({ applies }) => applies(row))?.words ?? UNKNOWN;
}
