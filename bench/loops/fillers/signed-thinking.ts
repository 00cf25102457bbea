import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const interleavedThinking: Filler = session({
  name: 'interleaved-thinking',
  about: 'Signed thinking before every call.',
  formats: ['anthropic', 'ai-sdk'],
  windows: [16_000, 32_000],
  shape: { isThinking: true },
  every: 15,
  thought: ({ words, budget }) => words.prose(budget * 0.3),
  result: ({ words, budget }) => [text(words.log(budget * 0.7))],
});

export const thinkingAtStart: Filler = session({
  name: 'thinking-at-start',
  about: 'Signed thinking before the first call of each request only.',
  formats: ['anthropic', 'ai-sdk'],
  windows: [16_000, 32_000],
  shape: { isThinking: true },
  every: 20,
  thought: ({ words, budget }, isFirstStep) => (isFirstStep ? words.prose(budget) : null),
  result: ({ words, budget }) => [text(words.log(budget))],
});

export const openThinking: Filler = session({
  name: 'open-thinking',
  about: 'Signed thinking before every call, in one turn that never ends.',
  large: ['anthropic'],
  formats: ['anthropic', 'ai-sdk'],
  windows: [16_000, 32_000],
  shape: { isThinking: true },
  asksAt: [],
  thought: ({ words, budget }) => words.prose(budget * 0.3),
  result: ({ words, budget }) => [text(words.log(budget * 0.7))],
});
