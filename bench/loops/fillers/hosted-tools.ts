import { pngFor } from '../pictures.ts';
import { type FormatId, HOSTED_KINDS } from '../said.ts';
import type { Filler, Scene } from './filler.ts';
import { session } from './session.ts';

const FORMATS: readonly FormatId[] = ['anthropic', 'openai-responses', 'gemini', 'ai-sdk'];
/** Characters of encrypted content per token. */
const CHARACTERS = 4;

export const hostedTools: Filler = session({
  name: 'hosted-tools',
  about: 'Tools that the provider runs: search, code, MCP, pictures, a computer, and items that do not exist yet.',
  large: ['openai-responses'],
  formats: FORMATS,
  every: 2,
  hosted: (scene) => [hostedOf(scene)],
});

function hostedOf({ turn, words, budget, random, id }: Scene) {
  const kind = HOSTED_KINDS[turn % HOSTED_KINDS.length] ?? 'code';
  const hasPicture = kind === 'picture' || kind === 'computer';
  return {
    kind,
    id: id('hosted'),
    input: words.sentence(),
    output: words.log(budget),
    base64: hasPicture ? pngFor(Math.min(budget, 1_500), random) : random.base64(Math.ceil(budget * CHARACTERS)),
  };
}
