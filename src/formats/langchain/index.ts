import type { Format } from '../../core/format.ts';
import { messageListOf } from '../guards.ts';
import { checkLangChain } from './check.ts';
import { decodeLangChain } from './decode.ts';
import { encodeLangChain } from './encode.ts';
import { heldIn } from './held.ts';

/** Messages of LangChain: instances of its classes, or either JSON of them. */
export const langChain: Format = {
  id: 'langchain',
  title: 'LangChain messages',
  detect: detectLangChain,
  decode: decodeLangChain,
  check: checkLangChain,
  encode: encodeLangChain,
};

/** No other format holds its messages this way, so one is a sign; surer when all are. */
function detectLangChain(wire: unknown): number {
  const list = messageListOf(wire) ?? [];
  const known = list.filter((value) => heldIn(value) !== null).length;
  return known === 0 ? 0 : 0.97 * (known / list.length);
}
