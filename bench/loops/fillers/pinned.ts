import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

const PINS = 0.72;

export const pinned: Filler = session({
  name: 'pinned',
  about: 'Two pinned user messages that together exceed the threshold, and tool results.',
  windows: [8_000, 16_000],
  shape: { pins: PINS },
  asksAt: [2],
  request: ({ words, window }, marker) => [
    text(`Please keep this list in mind for ${marker}: ${words.prose((PINS / 2) * window)}`),
  ],
  result: ({ words, budget }) => [text(words.log(budget))],
});
