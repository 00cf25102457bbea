import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenCounter } from '../core/tokens/counter.ts';

/**
 * Exact o200k counts. Byte-pair encoders take quadratic time on one unbroken run (100 KB of one letter takes ten seconds), so runs are cut after 256
 * characters of one class. Special tokens count as plain text.
 */
export const o200k: TokenCounter = { id: 'o200k', count: countWithSplitRuns };

const RUN_LIMIT = 256;
const OPTIONS: { readonly disallowedSpecial: Set<string> } = { disallowedSpecial: new Set() };

/** Classes of the o200k pattern. A surrogate half has none of its own and continues the run around it. */
const SPACE = 0;
const LETTER = 1;
const NUMBER = 2;
const OTHER = 3;
const SURROGATE = 4;
const UNKNOWN = 255;

const classes: Uint8Array = new Uint8Array(65_536).fill(UNKNOWN);

function classOf(code: number): number {
  const known = classes[code] ?? UNKNOWN;
  if (known !== UNKNOWN) return known;
  const char = String.fromCharCode(code);
  let found = OTHER;
  if (code >= 0xd800 && code <= 0xdfff) found = SURROGATE;
  else if (/\s/.test(char)) found = SPACE;
  else if (/[\p{L}\p{M}]/u.test(char)) found = LETTER;
  else if (/\p{N}/u.test(char)) found = NUMBER;
  classes[code] = found;
  return found;
}

function countWithSplitRuns(text: string): number {
  let total = 0;
  let from = 0;
  let run = 0;
  let previous = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    let kind = classOf(code);
    if (kind === SURROGATE) kind = previous < 0 || previous === NUMBER ? OTHER : previous;
    // The pattern ends in `[\r\n/]*`, so a line break continues a run of symbols.
    else if (previous === OTHER && (code === 10 || code === 13)) kind = OTHER;
    if (kind !== previous) {
      previous = kind;
      run = 1;
      continue;
    }
    run++;
    // The pattern takes digits three at a time, so they never form a long run; a surrogate pair stays whole.
    const mayCut = kind !== NUMBER && (code & 0xfc00) !== 0xd800;
    if (run >= RUN_LIMIT && mayCut) {
      total += countTokens(text.slice(from, index + 1), OPTIONS);
      from = index + 1;
      run = 0;
    }
  }
  if (from < text.length) total += countTokens(from === 0 ? text : text.slice(from), OPTIONS);
  return total;
}
