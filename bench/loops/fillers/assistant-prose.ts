import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const assistantProse: Filler = session({
  name: 'assistant-prose',
  about: 'Long texts of the model.',
  prose: ({ words, budget }) => words.prose(budget),
});
