import type { Format } from '../../core/format.ts';
import { serverStateOf } from '../server-state.ts';
import { countSigns, score } from '../signs.ts';
import { readSurroundings, type SurroundingFields } from '../surroundings.ts';
import { checkAnthropic } from './check.ts';
import { decodeAnthropic } from './decode.ts';
import { encodeAnthropic } from './encode.ts';
import { ANTHROPIC_SERVER } from './server.ts';

const FIELDS: SurroundingFields = { tools: ['tools', 'output_config.format'], output: ['max_tokens'] };

/** Anthropic Messages: a request with `system` and `messages`, or the messages alone. */
export const anthropic: Format = {
  id: 'anthropic',
  title: 'Anthropic Messages',
  detect: (wire) => score(countSigns(wire), 'anthropic', 0.5),
  decode: decodeAnthropic,
  check: checkAnthropic,
  surroundings: (conversation) =>
    readSurroundings(conversation.envelope, FIELDS, serverStateOf(conversation, ANTHROPIC_SERVER)),
  encode: encodeAnthropic,
};
