import type { AlignedModel, Summarizer } from '../model.ts';

/** Tokens to keep free for the question, and for an answer that is longer than asked. */
const SPARE_TOKENS = 12_000;

/**
 * True when the aligned model costs less. It reads every token of the view from the cache, while a separate request reads a shorter transcript at
 * full price. Both prices must be known, and the view must fit with room for the answer.
 */
export function isAlignedCheaper(
  aligned: AlignedModel,
  summarizer: Summarizer | null,
  tokens: { readonly view: number; readonly transcript: number; readonly answer: number },
): boolean {
  if (tokens.view + tokens.answer + SPARE_TOKENS > aligned.contextWindow) return false;
  const own = summarizer?.models[0]?.prices ?? null;
  if (summarizer === null) return true;
  if (own === null) return false;
  const { cachedInput, output } = aligned.prices;
  return (
    tokens.view * cachedInput + tokens.answer * output < tokens.transcript * own.input + tokens.answer * own.output
  );
}
