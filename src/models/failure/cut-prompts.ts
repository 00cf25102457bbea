import type { Model, ModelOutcome, ModelRequest } from '../../core/model.ts';
import { plainFailure } from './failure.ts';

/** No language and no log reaches this ratio. */
const MOST_CHARACTERS_PER_TOKEN = 8;
/** Shorter requests prove nothing. */
const FEWEST_CHARACTERS = 8_000;

/**
 * Detects servers that cut a long prompt without an error, as Ollama does: an answer to far fewer tokens than were sent counts as an overflow,
 * because the model did not see the start of the transcript. A small cut goes unnoticed.
 */
export function noticingCutPrompts(model: Model): Model {
  return { ...model, generate: async (request) => judge(request, await model.generate(request)) };
}

function judge({ instructions, prompt }: ModelRequest, outcome: ModelOutcome): ModelOutcome {
  if (outcome.type === 'failed') return outcome;
  const characters = instructions.length + prompt.length;
  const read = outcome.usage.inputTokens;
  if (read === null || read === 0 || characters < FEWEST_CHARACTERS) return outcome;
  if (characters / read <= MOST_CHARACTERS_PER_TOKEN) return outcome;
  const tokens = read.toLocaleString('en-US');
  const message = `The server read only ${tokens} tokens of the request; its context length is too small.`;
  return { type: 'failed', failure: { ...plainFailure('overflow', message), learnedWindow: read } };
}
