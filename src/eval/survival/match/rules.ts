import { contradicted, type Found, lost, type Matcher, normalised } from './found.ts';
import { type Haystack, placesOf, plainText, sentenceAround } from './haystack.ts';
import { bestWindow, contentOf, cut, exactly } from './words.ts';

const NEGATION =
  /\b(?:no|not|never|nothing|none|nobody|without|avoid|forbid(?:den)?|refus\w*|ruled out|mustn't|cannot|\w+n't|dont|nicht|kein\w*|nie|ne pas|jamais|nunca)\b/gi;

/** Bounds that exclude each other. */
const BOUNDS: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:at least|no (?:less|fewer) than|minimum|≥|>=)/i, /\b(?:at most|no more than|maximum|up to|≤|<=)/i],
  [/\b(?:before|until|by)\b/i, /\b(?:after|from)\b/i],
  [/\b(?:over|above|more than)\b/i, /\b(?:under|below|less than)\b/i],
  [/\b(?:always)\b/i, /\b(?:never)\b/i],
];
const ABOUT = /\b(?:about|approximately|approx|around|roughly|circa|some)\b|~(?=\d)/i;

const RULE_SHARE = 0.75;
/** Words right before a quoted rule that negate it. */
const TURNED = /\b(?:do not|don't|never|not|no longer|no need to|needn't|stop)\s*$/i;
const LIFTED =
  /^[\s"')\].,;:–-]{0,6}(?:\(?\s*)?(?:no longer in force|no longer holds|was lifted|is lifted|taken back)/i;

/**
 * Matches a rule: verbatim, or by most of its words within one stretch of the same polarity and bounds. The same words with another polarity, or
 * `at most` for `at least`, state the opposite.
 */
export const matchConstraint: Matcher = (value, hay) => {
  const quoted = quotedRule(value, hay);
  if (quoted !== null) return quoted;
  const plain = plainText(value);
  const wanted = contentOf(withoutPolarity(plain));
  const best = bestWindow(wanted, hay, 2);
  if (wanted.length < 2 || best.share < RULE_SHARE)
    return lost(best.share === 0 ? 'not there' : `nearest: ${cut(hay.plain.slice(best.start, best.end))}`);
  const said = sentenceAround(hay.plain, best, 60);
  const missing = wanted.find((stem) => /\d/.test(stem) && !contentOf(said).includes(stem));
  if (missing !== undefined) return lost(`without \`${missing}\`: ${cut(said)}`);
  if (isNegative(plain) !== isNegative(said)) return contradicted(`the opposite is said: ${cut(said)}`);
  const bound = turnedBound(plain, said);
  if (bound) return contradicted(`another bound is said: ${cut(said)}`);
  if (ABOUT.test(plain) !== ABOUT.test(said) && /\d/.test(plain))
    return lost(`more or less exact than it was: ${cut(said)}`);
  return normalised(`as ${cut(said)}`);
};

/** Finds the rule word for word. It is the opposite when every occurrence is negated or taken back. */
function quotedRule(value: string, hay: Haystack): Found | null {
  const exact = exactly(value, hay);
  if (exact === null) return null;
  const plain = plainText(value).toLowerCase();
  let turned = '';
  for (const at of placesOf(hay.lower, plain)) {
    const before = hay.plain.slice(Math.max(0, at - 24), at);
    const after = hay.plain.slice(at + plain.length, at + plain.length + 40);
    if (!TURNED.test(before) && !LIFTED.test(after)) return exact;
    turned ||= `${before}${hay.plain.slice(at, at + plain.length)}${after}`;
  }
  return turned === '' ? exact : contradicted(`turned around or taken back: ${cut(turned)}`);
}

function isNegative(text: string): boolean {
  return (text.replaceAll(/no (?:less|fewer|more) than/gi, '').match(NEGATION) ?? []).length % 2 === 1;
}

function withoutPolarity(text: string): string {
  return BOUNDS.flat().reduce(
    (left, bound) => left.replaceAll(new RegExp(bound.source, 'gi'), ' '),
    text.replaceAll(NEGATION, ' '),
  );
}

function turnedBound(one: string, other: string): boolean {
  return BOUNDS.some(([left, right]) => {
    const [a, b] = [left.test(one), right.test(one)];
    const [c, d] = [left.test(other), right.test(other)];
    return (a && !b && d && !c) || (b && !a && c && !d);
  });
}

/** Words by which a sentence rejects something or moves it to the past. */
const DENIED =
  /\b(?:no|not|never|neither|nor|without|instead of|rather than|reject\w*|refut\w*|rul(?:e[sd]?|ing) out|withdr\w+|drop(?:ped|s)?|abandon\w*|g[ai]ven? up|against|unlike|was|were|used to|earlier|previous\w*|formerly|first|initially|old|no longer|replaced|superseded|before|cancel\w*|\w+n't)\b|→|->|\bfrom\b/i;

/** Says whether the words occur somewhere as something that still holds. */
export function isAsserted(words: string, hay: Haystack): boolean {
  const wanted = plainText(words).toLowerCase();
  for (const at of placesOf(hay.lower, wanted)) {
    const before = hay.lower[at - 1] ?? ' ';
    const after = hay.lower[at + wanted.length] ?? ' ';
    if (/[\p{L}\p{N}_]/u.test(before) || /[\p{L}\p{N}_]/u.test(after)) continue;
    if (!DENIED.test(sentenceAround(hay.plain, { start: at, end: at + wanted.length }))) return true;
  }
  return false;
}
