import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session, typed } from './session.ts';

/** Share of the window that the largest paste takes; one turn in eight. */
const LARGEST = 0.38;
const OFTEN = 8;

export const userPastes: Filler = session({
  name: 'user-pastes',
  about: 'Logs that the user pastes into every message, up to 40 % of the window in one.',
  large: ['langchain'],
  every: 1,
  request: (scene, marker) => {
    const { words, window, budget, turn } = scene;
    const paste = words.log(turn % OFTEN === 0 ? window * LARGEST : budget * 0.4);
    const asked = typed(scene, marker, 'Please tell me what went wrong here.');
    return [text(turn % 2 === 0 ? `${asked}\n\n${paste}` : `This is from this morning:\n\n${paste}\n\n${asked}`)];
  },
});
