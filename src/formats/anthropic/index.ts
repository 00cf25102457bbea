import type { Format } from '../../core/format.ts';
import { countSigns, score } from '../signs.ts';
import { checkAnthropic } from './check.ts';
import { decodeAnthropic } from './decode.ts';
import { encodeAnthropic } from './encode.ts';

/** Anthropic Messages: a request with `system` and `messages`, or the messages alone. */
export const anthropic: Format = {
  id: 'anthropic',
  title: 'Anthropic Messages',
  detect: (wire) => score(countSigns(wire), 'anthropic', 0.5),
  decode: decodeAnthropic,
  check: checkAnthropic,
  encode: encodeAnthropic,
};
