import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

const CHARACTERS = 4;

export const encryptedReasoning: Filler = session({
  name: 'encrypted-reasoning',
  about: 'Encrypted reasoning before every call.',
  large: ['openai-responses'],
  formats: ['openai-responses'],
  thought: ({ random, budget }) => random.base64(Math.ceil(budget * CHARACTERS * 0.6)),
  result: ({ words, budget }) => [text(words.log(budget * 0.4))],
});
