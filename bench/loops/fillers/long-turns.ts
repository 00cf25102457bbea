import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const oneRequest: Filler = session({
  name: 'one-request',
  about: 'One user request and tool calls in every turn after it.',
  asksAt: [],
  result: ({ words, budget }) => [text(words.log(budget))],
});

/** The turn of the short request. */
const SHORT = 10;

export const shortRequest: Filler = session({
  name: 'short-request',
  about: 'A short newest request such as `/review`, and 50 turns of calls after it.',
  asksAt: [SHORT],
  request: ({ turn, words }, marker) => [
    text(turn === SHORT ? `/review ${marker}` : `Please set up the stock count named ${marker}. ${words.sentence()}`),
  ],
  result: ({ words, budget }) => [text(words.log(budget))],
});
