import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const pinned: Filler = session({
  name: 'pinned',
  about: 'Pinned messages that exceed the threshold, and tool results.',
  shape: { pins: 0.72 },
  result: ({ words, budget }) => [text(words.log(budget))],
});
