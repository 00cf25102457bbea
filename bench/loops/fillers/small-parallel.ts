import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

const CALLS = 12;

export const smallParallel: Filler = session({
  name: 'small-parallel',
  about: 'Twelve parallel calls a turn with short results.',
  calls: CALLS,
  args: () => ({ n: '1' }),
  result: ({ words, budget }) => [text(words.log(Math.max(10, budget - 35)))],
});
