import type { Format } from '../../core/format.ts';
import { checkResponses } from './check.ts';
import { decodeResponses } from './decode.ts';
import { detectResponses } from './detect.ts';
import { encodeResponses } from './encode.ts';

/** OpenAI Responses: a request with `input`, its items alone, or one text. */
export const openaiResponses: Format = {
  id: 'openai-responses',
  title: 'OpenAI Responses',
  detect: detectResponses,
  decode: decodeResponses,
  check: checkResponses,
  encode: encodeResponses,
};
