import type { Model, ModelOutcome, ModelRequest } from '../../core/model.ts';
import { plainFailure } from './failure.ts';

/** No language and no log has so many characters to a token; shorter requests prove nothing. */
const MOST_CHARACTERS_PER_TOKEN = 8;
const FEWEST_CHARACTERS = 8_000;

/**
 * For servers that cut a long prompt without saying so, as Ollama does: an answer to far fewer tokens than were sent is an
 * overflow, because it was written without the start of the transcript. A small cut cannot be seen this way.
 */
export function noticingCutPrompts(model: Model): Model {
  return { ...model, generate: async (request) => judged(request, await model.generate(request)) };
}

function judged({ instructions, prompt }: ModelRequest, outcome: ModelOutcome): ModelOutcome {
  if (outcome.type === 'failed') return outcome;
  const characters = instructions.length + prompt.length;
  const read = outcome.usage.inputTokens;
  if (read === null || read === 0 || characters < FEWEST_CHARACTERS) return outcome;
  if (characters / read <= MOST_CHARACTERS_PER_TOKEN) return outcome;
  const tokens = read.toLocaleString('en-US');
  const message = `The server read only ${tokens} tokens of the request; its context length is too small.`;
  return { type: 'failed', failure: { ...plainFailure('overflow', message), learnedWindow: read } };
}
