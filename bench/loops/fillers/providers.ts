import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

const result: NonNullable<Parameters<typeof session>[0]['result']> = ({ words, budget }) => [text(words.log(budget))];

export const overflowUnnamed: Filler = session({
  name: 'overflow-unnamed',
  about: 'The window is smaller than believed, and the provider refuses without a number.',
  large: ['gemini'],
  shape: { overflow: 'unnamed' },
  result,
});

export const overflowNamed: Filler = session({
  name: 'overflow-named',
  about: 'The window is smaller than believed, and the provider names it when it refuses.',
  shape: { overflow: 'named' },
  result,
});

export const noUsage: Filler = session({
  name: 'no-usage',
  about: 'A provider that never reports usage, and a context that only estimates.',
  shape: { mayReport: false },
  result,
});

export const reservedOutput: Filler = session({
  name: 'reserved-output',
  about: 'A request that reserves 30 % of the window for the answer.',
  formats: ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'ai-sdk'],
  shape: { output: 0.3 },
  result,
});

export const impossible: Filler = session({
  name: 'impossible',
  about: 'System prompt and tools larger than the window: the context must refuse, and say why.',
  large: ['anthropic'],
  formats: ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'ai-sdk'],
  shape: { system: 0.5, tools: 0.6, isImpossible: true },
  result,
});
