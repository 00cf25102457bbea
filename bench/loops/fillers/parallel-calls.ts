import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

const CALLS = 4;

export const parallelCalls: Filler = session({
  name: 'parallel-calls',
  about: 'Four parallel calls a turn with long results.',
  calls: CALLS,
  result: ({ words, budget }) => [text(words.log(budget))],
});
