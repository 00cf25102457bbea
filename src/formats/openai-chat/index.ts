import type { Format } from '../../core/format.ts';
import { countSigns, score } from '../signs.ts';
import { checkChat } from './check.ts';
import { decodeChat } from './decode.ts';
import { encodeChat } from './encode.ts';

/** OpenAI Chat Completions, and the many servers that speak it. */
export const openaiChat: Format = {
  id: 'openai-chat',
  title: 'OpenAI chat',
  // Plain text is legal in several formats; this one is the most common.
  detect: (wire) => score(countSigns(wire), 'chat', 0.6),
  decode: decodeChat,
  check: checkChat,
  encode: encodeChat,
};
