import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

export const largeTools: Filler = session({
  name: 'large-tools',
  about: 'Tool definitions of 58 % of the window, and tool results.',
  large: ['openai-chat'],
  formats: ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'ai-sdk'],
  shape: { tools: 0.58 },
  result: ({ words, budget }) => [text(words.log(budget))],
});
