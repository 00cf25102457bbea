import type { Format } from '../../core/format.ts';
import { serverStateOf } from '../server-state.ts';
import { readSurroundings, type SurroundingFields } from '../surroundings.ts';
import { checkResponses } from './check.ts';
import { decodeResponses } from './decode.ts';
import { detectResponses } from './detect.ts';
import { encodeResponses } from './encode.ts';
import { RESPONSES_SERVER } from './server.ts';

const FIELDS: SurroundingFields = { tools: ['tools', 'text.format'], output: ['max_output_tokens'] };

/** OpenAI Responses: a request with `input`, its items alone, or one text. */
export const openaiResponses: Format = {
  id: 'openai-responses',
  title: 'OpenAI Responses',
  detect: detectResponses,
  decode: decodeResponses,
  check: checkResponses,
  surroundings: (conversation) =>
    readSurroundings(conversation.envelope, FIELDS, serverStateOf(conversation, RESPONSES_SERVER)),
  encode: encodeResponses,
};
