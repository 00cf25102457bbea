import type { Fact } from '../../facts/fact.ts';
import { namesIn } from '../../language/names.ts';
import { singleSpaced } from '../../language/spaces.ts';
import type { SummaryLine } from '../answer.ts';

/** The text and the facts that a summary line is checked against. */
export interface Source {
  /** Everything that was said, single-spaced. */
  readonly text: string;
  /** The same in lower case. */
  readonly lower: string;
  /** The same without quote, code and emphasis marks, which writers use as they like. */
  readonly bare: string;
  /** Names, paths, numbers and hashes in it. */
  readonly names: ReadonlySet<string>;
  /** The user's constraints. */
  readonly constraints: readonly Fact[];
  /** Replaced values, each with the value that holds now. */
  readonly stale: readonly { readonly fact: Fact; readonly now: Fact }[];
}

/** A check of one line: true when the line must go. The receipt shows its name. */
export interface LineCheck {
  readonly name: string;
  readonly fails: (line: SummaryLine, source: Source) => boolean;
}

const NEGATION =
  /\b(?:not|no|never|none|without|don'?t|doesn'?t|mustn'?t|shouldn'?t|can'?t|cannot|won'?t|isn'?t|avoid|forbid(?:den|s)?|prohibit\w*|instead of|nicht|kein\w*|nie(?:mals)?|pas|jamais|nunca|нельзя|не)\b|不|勿|禁止|别/i;
/** Claims that a rule is gone. Only the user's own words lift a rule; a model may not decide it. */
const LIFTED = /\b(?:withdrawn|lifted|revoked|waived|overruled|no longer (?:holds|applies|in force|needed))\b/i;
const INJECTION =
  /\b(?:ignore (?:all|any|the|previous|prior|above)|disregard (?:all|the|previous)|you are now|new instructions?|system prompt|reveal (?:the|your)|do anything now|send (?:it|them|the \w+) to http)/i;
const REPLACED =
  /\b(?:replaced|earlier|formerly|previous(?:ly)?|used to|was|old|instead of|changed|from .+ to|→|->|raised|lowered)\b/i;
/** A line with this share of a constraint's words is about the same matter. */
const SAME_MATTER = 0.6;
/** And this share of the line must be about it: a sentence that says more is not the rule turned around. */
const SAME_CLAIM = 0.4;

export const LINE_CHECKS: readonly LineCheck[] = [
  {
    name: 'ungrounded',
    fails: ({ text }, source) =>
      namesIn(withoutNumbers(text)).some((name) => !isGrounded(name, source) && !isCoined(name, text, source)),
  },
  {
    name: 'misquoted',
    fails: ({ text }, source) =>
      quotesIn(text).some((quote) => !piecesOf(quote).every((piece) => source.bare.includes(bare(piece)))),
  },
  {
    name: 'inverted',
    fails: ({ text }, { constraints }) =>
      constraints.some((fact) =>
        sentencesOf(fact.text).some((rule) => claimsOf(text, rule).some((claim) => contradicts(claim, rule))),
      ),
  },
  {
    name: 'stale',
    fails: ({ text }, { stale }) =>
      stale.some(
        ({ fact, now }) => says(text, fact) && namesKey(text, fact.key) && !says(text, now) && !REPLACED.test(text),
      ),
  },
  {
    name: 'injected',
    fails: ({ text }) => INJECTION.test(text.replaceAll(/"[^"]*"/g, '')),
  },
];

/** True when the text names a setting: every word of its key, in any order. */
function namesKey(text: string, key: string): boolean {
  const lower = text.toLowerCase();
  return key
    .toLowerCase()
    .split(' ')
    .every((word) => lower.includes(word));
}

/** True when a name occurs in the source, or is put together from parts that do, as people write `stop/post-task`. */
function isGrounded(name: string, { names, text, lower }: Source): boolean {
  const bare = name.replace(/[.,:;]+$/, '');
  if (names.has(name) || names.has(bare) || text.includes(bare)) return true;
  if (/^[A-Z][a-z]+$/.test(bare)) return lower.includes(bare.toLowerCase());
  const parts = bare.split(/[/\\-]/).filter((part) => part !== '');
  const isPath = /^[~./]|^[A-Za-z]:|\.\w{1,5}$/.test(bare);
  return parts.length > 1 && !isPath && parts.every((part) => lower.includes(part.toLowerCase()));
}

/** Message numbers such as `(#12, #31)` are ours, not names of the source. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\(?#\d+(?:,\s*#\d+)*\)?/g, '');
}

/** The quotes in a text. Quote marks inside code or inside another quote are part of that. */
function quotesIn(text: string): readonly string[] {
  const masked = text.replaceAll(/`[^`]*`/g, (code) => '.'.repeat(code.length));
  return [...masked.matchAll(/(?<![^\s(["])"((?:[^"]|"(?![\s).,;:!?\]]|$)){12,}?)"(?=[\s).,;:!?\]]|$)/g)].map((match) =>
    text.slice(match.index + 1, match.index + match[0].length - 1),
  );
}

/** The pieces of a quote between dots, which mark words left out. */
function piecesOf(quote: string): readonly string[] {
  return singleSpaced(quote)
    .split(/\s*(?:…|\.{3}|\[[^\]]*\])\s*/)
    .map((piece) => piece.replace(/[.,;:]+$/, ''));
}

/** True for words that a writer joined, as in `code-free` or `re-edited`: they name nothing, unless written as code. */
function isCoined(name: string, text: string, { lower }: Source): boolean {
  const parts = name.toLowerCase().split('-');
  if (parts.some((part) => !/^[a-z]+$/.test(part)) || text.includes(`\`${name}`) || text.includes(`${name}\``))
    return false;
  return parts.every((part) => JOINING.test(part) || lower.includes(part));
}

/** Words that English joins to others with a hyphen. */
const JOINING =
  /^(?:re|pre|post|non|un|self|multi|single|per|co|sub|semi|anti|cross|half|one|two|three|four|free|only|based|specific|level|side|wide|related|like|time|driven|facing|out|up|in|off|on|by|to|the|of|and|ready|safe|aware|first|last|wise|style|sized|long|short|end|user|\w{3,}(?:ed|ing))$/;

/** The sentences of a line that are about a rule and little else. A line that repeats the rule word for word agrees with it, unless it calls it lifted. */
function claimsOf(text: string, rule: string): readonly string[] {
  const said = singleSpaced(text).toLowerCase();
  if (
    said.includes(
      singleSpaced(rule)
        .toLowerCase()
        .replace(/[.!?;]+$/, ''),
    )
  )
    return LIFTED.test(text) ? [text] : [];
  return sentencesOf(text).filter(
    (sentence) => sharedWords(rule, sentence) >= SAME_MATTER && sharedWords(sentence, rule) >= SAME_CLAIM,
  );
}

function contradicts(claim: string, rule: string): boolean {
  return NEGATION.test(rule) !== NEGATION.test(claim) || LIFTED.test(claim);
}

function says(text: string, fact: Fact): boolean {
  return fact.needles.every((needle) => new RegExp(`(?<![\\w.])${escaped(needle)}(?![\\w])`).test(text));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** One message often holds several rules; each is compared on its own. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?;。！？])\s*/).filter((sentence) => sentence !== '');
}

function sharedWords(of: string, inText: string): number {
  const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  const wanted = new Set(words(of).filter((word) => !NEGATION.test(word)));
  const given = new Set(words(inText));
  return wanted.size < 2 ? 0 : [...wanted].filter((word) => given.has(word)).length / wanted.size;
}

export function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/["'`*“”‘’]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
