import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session, typed } from './session.ts';

export const chat: Filler = session({
  name: 'chat',
  about: 'A chat without tools; the user speaks in every turn.',
  every: 1,
  request: (scene, marker) => [text(typed(scene, marker, `Then this: ${scene.words.prose(scene.budget * 0.4)}`))],
  prose: ({ words, budget }) => words.prose(budget * 0.6),
});
