import type { Format } from '../../core/format.ts';
import { serverStateOf } from '../server-state.ts';
import { readSurroundings, type SurroundingFields } from '../surroundings.ts';
import { checkGemini } from './check.ts';
import { decodeGemini } from './decode.ts';
import { detectGemini } from './detect.ts';
import { encodeGemini } from './encode.ts';
import { GEMINI_SERVER } from './server.ts';

const FIELDS: SurroundingFields = {
  tools: [
    'tools',
    ...['responseSchema', 'responseJsonSchema'].map((field) => `generationConfig.${field}`),
    ...['response_schema', 'response_json_schema'].map((field) => `generation_config.${field}`),
    // The SDKs keep everything but the contents here, the prompt too.
    ...['systemInstruction', 'tools', 'responseSchema', 'responseJsonSchema'].map((field) => `config.${field}`),
  ],
  output: ['generationConfig.maxOutputTokens', 'generation_config.max_output_tokens', 'config.maxOutputTokens'],
};

/** Gemini: a request with `contents`, or the contents alone. */
export const gemini: Format = {
  id: 'gemini',
  title: 'Gemini contents',
  detect: detectGemini,
  decode: decodeGemini,
  check: checkGemini,
  surroundings: (conversation) =>
    readSurroundings(conversation.envelope, FIELDS, serverStateOf(conversation, GEMINI_SERVER)),
  encode: encodeGemini,
};
