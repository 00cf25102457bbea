import { pngFor } from '../pictures.ts';
import { type Piece, text } from '../said.ts';
import type { Filler, Scene } from './filler.ts';
import { session, typed } from './session.ts';

/** Tokens of the largest picture that is not scaled down. */
const LARGEST = 1_500;

export const imagesInUser: Filler = session({
  name: 'images-in-user',
  about: 'Screenshots in user messages.',
  large: ['anthropic'],
  every: 1,
  request: (scene, marker) => [text(typed(scene, marker, 'What is wrong in these?')), ...pictures(scene)],
});

/** As many pictures as the budget of a turn holds. */
export function pictures({ budget, random }: Scene): readonly Piece[] {
  const count = Math.ceil(budget / LARGEST);
  return Array.from({ length: count }, () => ({ type: 'image', base64: pngFor(budget / count, random) }));
}
