import type { Format } from '../../core/format.ts';
import { checkGemini } from './check.ts';
import { decodeGemini } from './decode.ts';
import { detectGemini } from './detect.ts';
import { encodeGemini } from './encode.ts';

/** Gemini: a request with `contents`, or the contents alone. */
export const gemini: Format = {
  id: 'gemini',
  title: 'Gemini contents',
  detect: detectGemini,
  decode: decodeGemini,
  check: checkGemini,
  encode: encodeGemini,
};
