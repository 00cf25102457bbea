import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const toolOutput: Filler = session({
  name: 'tool-output',
  about: 'Long tool results.',
  large: ['openai-chat'],
  result: ({ words, budget }) => [text(words.log(budget))],
});
