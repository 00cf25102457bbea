/** Why another arm keeps more than precis. The one thing on the page that is written by hand: a figure does not know its cause. */
import type { SurvivalRow } from '../peers/results.ts';
import { plural } from './figures.ts';

interface Cause {
  readonly applies: (row: SurvivalRow) => boolean;
  readonly words: string;
}

/** Up to this size, in tokens, the fixed parts of our view are much of it. */
export const SMALL_VIEW = 2_000;

/** The first that applies is taken, so the special ones stand first. */
const CAUSES: readonly Cause[] = [
  {
    applies: ({ behind }) => behind.length > 0 && largestBehind(behind) <= SMALL_VIEW,
    words: `precis is behind in no view of more than ${plural(SMALL_VIEW, 'token')}. In smaller ones the task, the newest steps and the frame of the handoff, which it never gives up, take much of the room.`,
  },
  {
    applies: ({ teller }) => teller === 'rewording',
    words:
      'Lines of a model compete with quotes for the room, and count fully only where they take little of it ([decision 17](decisions/0017-short-summaries-get-more-weight.md)): critical facts stand in the words they were said in, whatever the model says.',
  },
  {
    applies: ({ teller }) => teller === 'perfect',
    words:
      'The perfect summariser knows what will be asked. An arm that leaves it all of the room gains the most from that; precis takes a line of a model only when it is worth its tokens by weights that do not know the questions.',
  },
  {
    applies: ({ kept, byAge }) => byAge.newest.kept * 2 > kept,
    words:
      'More than half of what it keeps is from the newest third of the sessions: its view is mostly the newest steps, where precis spends the room on all ages.',
  },
];

/** The largest view, in tokens, in which the arm keeps more than precis. */
export function largestBehind(behind: SurvivalRow['behind']): number {
  return Math.max(0, ...behind.map(({ tokens }) => tokens));
}

export const UNKNOWN = 'Not looked into yet.';

export function causeOf(row: SurvivalRow): string {
  return CAUSES.find(({ applies }) => applies(row))?.words ?? UNKNOWN;
}
