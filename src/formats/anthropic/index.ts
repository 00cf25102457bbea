import type { Format } from '../../core/format.ts';
import { countSigns, score } from '../signs.ts';
import { readSurroundings, type SurroundingFields } from '../surroundings.ts';
import { checkAnthropic } from './check.ts';
import { decodeAnthropic } from './decode.ts';
import { encodeAnthropic } from './encode.ts';

const FIELDS: SurroundingFields = { tools: ['tools', 'output_config.format'], output: ['max_tokens'] };

/** Anthropic Messages: a request with `system` and `messages`, or the messages alone. */
export const anthropic: Format = {
  id: 'anthropic',
  title: 'Anthropic Messages',
  detect: (wire) => score(countSigns(wire), 'anthropic', 0.5),
  decode: decodeAnthropic,
  check: checkAnthropic,
  surroundings: ({ envelope }) => readSurroundings(envelope, FIELDS, null),
  encode: encodeAnthropic,
};
