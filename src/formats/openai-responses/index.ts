import type { Format } from '../../core/format.ts';
import { readSurroundings, type SurroundingFields } from '../surroundings.ts';
import { checkResponses } from './check.ts';
import { decodeResponses } from './decode.ts';
import { detectResponses } from './detect.ts';
import { encodeResponses } from './encode.ts';
import { serverStateOf } from './wire.ts';

const FIELDS: SurroundingFields = { tools: ['tools', 'text.format'], output: ['max_output_tokens'] };

/** OpenAI Responses: a request with `input`, its items alone, or one text. */
export const openaiResponses: Format = {
  id: 'openai-responses',
  title: 'OpenAI Responses',
  detect: detectResponses,
  decode: decodeResponses,
  check: checkResponses,
  surroundings: ({ envelope }) => readSurroundings(envelope, FIELDS, serverStateOf(envelope)),
  encode: encodeResponses,
};
