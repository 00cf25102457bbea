import { randomFrom } from '../random.ts';
import type { FormatId } from '../said.ts';
import { wordsOf } from '../words.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

/** Gemini has no system role among its contents. */
const FORMATS: readonly FormatId[] = ['openai-chat', 'anthropic', 'openai-responses', 'ai-sdk', 'langchain'];

export const sameReminders: Filler = session({
  name: 'same-reminders',
  about: 'The same long system reminder after every message.',
  large: ['openai-responses'],
  formats: FORMATS,
  shape: { hasReminders: true },
  reminder: ({ budget }) => `Reminder: keep to the rules of the yard. ${wordsOf(randomFrom('reminder')).prose(budget)}`,
});

export const changingReminders: Filler = session({
  name: 'changing-reminders',
  about: 'Another long system reminder after every message.',
  formats: FORMATS,
  shape: { hasReminders: true },
  reminder: ({ words, budget, turn }) => `State of the yard at turn ${turn}: ${words.prose(budget)}`,
});
