import type { Format } from '../../core/format.ts';
import { countSigns, score } from '../signs.ts';
import { readSurroundings, type SurroundingFields } from '../surroundings.ts';
import { checkChat } from './check.ts';
import { decodeChat } from './decode.ts';
import { encodeChat } from './encode.ts';

const FIELDS: SurroundingFields = {
  tools: ['tools', 'functions', 'response_format'],
  output: ['max_completion_tokens', 'max_tokens'],
};

/** OpenAI Chat Completions, and the many servers that speak it. */
export const openaiChat: Format = {
  id: 'openai-chat',
  title: 'OpenAI chat',
  // Plain text is legal in several formats; this one is the most common.
  detect: (wire) => score(countSigns(wire), 'chat', 0.6),
  decode: decodeChat,
  check: checkChat,
  surroundings: ({ envelope }) => readSurroundings(envelope, FIELDS, null),
  encode: encodeChat,
};
