import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const largeSystem: Filler = session({
  name: 'large-system',
  about: 'A system prompt of 40 % of the window, and tool results.',
  shape: { system: 0.4 },
  result: ({ words, budget }) => [text(words.log(budget))],
});
