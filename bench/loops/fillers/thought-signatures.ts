import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const thoughtSignatures: Filler = session({
  name: 'thought-signatures',
  about: 'Calls with a thought signature, one and two a turn.',
  formats: ['gemini'],
  every: 20,
  calls: 2,
  thought: () => 'thought',
  result: ({ words, budget }) => [text(words.log(budget))],
});
