import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const callArguments: Filler = session({
  name: 'call-arguments',
  about: 'Whole files in the arguments of calls.',
  args: ({ words, budget }) => ({ path: 'yard/stock.ts', content: words.code(budget) }),
});
