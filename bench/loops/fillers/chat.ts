import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const chat: Filler = session({
  name: 'chat',
  about: 'A chat without tools; the user speaks in every turn.',
  every: 1,
  request: ({ words, budget }, marker) => [text(`About ${marker}: ${words.prose(budget * 0.4)}`)],
  prose: ({ words, budget }) => words.prose(budget * 0.6),
});
