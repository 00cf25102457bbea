import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

/** The first half is one turn; then the user speaks now and then. */
const ASKED: readonly number[] = [301, 302, 330, 400, 401, 450, 500, 540, 580];

export const claudeThinking600: Filler = session({
  name: 'claude-thinking-600',
  about:
    'Claude with signed thinking before every call, over 600 turns: one request, and some more in the second half.',
  formats: ['anthropic'],
  windows: [32_000, 200_000],
  turns: 600,
  fills: 9,
  shape: { isThinking: true },
  asksAt: ASKED,
  thought: ({ words, budget }) => words.prose(budget * 0.3),
  result: ({ words, budget }) => [text(words.log(budget * 0.7))],
});
