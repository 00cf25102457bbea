import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

/** Share of the window that the largest paste takes; one turn in eight. */
const LARGEST = 0.38;
const OFTEN = 8;

export const userPastes: Filler = session({
  name: 'user-pastes',
  about: 'Logs that the user pastes into every message, up to 40 % of the window in one.',
  every: 1,
  request: ({ words, window, budget, turn }, marker) => {
    const paste = words.log(turn % OFTEN === 0 ? window * LARGEST : budget * 0.4);
    const typed = `Please tell me what went wrong here and call the case ${marker}.`;
    return [text(turn % 2 === 0 ? `${typed}\n\n${paste}` : `This is from this morning:\n\n${paste}\n\n${typed}`)];
  },
});
