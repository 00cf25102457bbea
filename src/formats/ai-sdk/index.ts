import type { Format } from '../../core/format.ts';
import { serverStateOf } from '../server-state.ts';
import { countSigns, score } from '../signs.ts';
import { readSurroundings, type SurroundingFields } from '../surroundings.ts';
import { checkAiSdk } from './check.ts';
import { decodeAiSdk } from './decode.ts';
import { encodeAiSdk } from './encode.ts';
import { AI_SDK_SERVER } from './server.ts';

const FIELDS: SurroundingFields = {
  // The prompt may stand next to the messages.
  tools: ['system', 'instructions', 'tools', 'responseFormat.schema'],
  output: ['maxOutputTokens'],
};

/** AI SDK messages (`ModelMessage` of versions 6 and 7), and the prompts that its providers and middleware get. */
export const aiSdk: Format = {
  id: 'ai-sdk',
  title: 'AI SDK messages',
  // Plain text is legal here too, but OpenAI chat and Anthropic are far more common on disk.
  detect: (wire) => score(countSigns(wire), 'aiSdk', 0.4),
  decode: decodeAiSdk,
  check: checkAiSdk,
  surroundings: (conversation) =>
    readSurroundings(conversation.envelope, FIELDS, serverStateOf(conversation, AI_SDK_SERVER)),
  encode: encodeAiSdk,
};
