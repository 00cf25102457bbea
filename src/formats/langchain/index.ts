import type { Format } from '../../core/format.ts';
import { messageListOf } from '../guards.ts';
import { serverStateOf } from '../server-state.ts';
import { readSurroundings, type SurroundingFields } from '../surroundings.ts';
import { checkLangChain } from './check.ts';
import { decodeLangChain } from './decode.ts';
import { encodeLangChain } from './encode.ts';
import { heldIn } from './held.ts';
import { LANGCHAIN_SERVER } from './server.ts';

const FIELDS: SurroundingFields = {
  tools: ['tools', 'functions', 'response_format'],
  output: ['maxTokens', 'max_tokens', 'max_completion_tokens', 'maxOutputTokens'],
};

/** LangChain messages: instances of its classes, or either JSON form of them. */
export const langChain: Format = {
  id: 'langchain',
  title: 'LangChain messages',
  detect: detectLangChain,
  decode: decodeLangChain,
  check: checkLangChain,
  surroundings: (conversation) =>
    readSurroundings(conversation.envelope, FIELDS, serverStateOf(conversation, LANGCHAIN_SERVER)),
  encode: encodeLangChain,
};

/** Returns the share of messages in LangChain's wrapper. One is enough to suspect it: no other format has that wrapper. */
function detectLangChain(wire: unknown): number {
  const list = messageListOf(wire) ?? [];
  const known = list.filter((value) => heldIn(value) !== null).length;
  return known === 0 ? 0 : 0.97 * (known / list.length);
}
