import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { pictures } from './images-in-user.ts';
import { session } from './session.ts';

export const imagesInResults: Filler = session({
  name: 'images-in-results',
  about: 'Screenshots in tool results.',
  large: ['ai-sdk'],
  // A tool message of OpenAI chat holds text only.
  formats: ['anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'langchain'],
  result: (scene) => [text('The screen now:'), ...pictures(scene)],
});
