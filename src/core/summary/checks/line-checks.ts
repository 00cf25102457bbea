import type { Fact } from '../../facts/fact.ts';
import { namesIn } from '../../language/names.ts';
import { singleSpaced } from '../../language/spaces.ts';
import type { SummaryLine } from '../answer.ts';

/** What a line of a summary is held against. */
export interface Source {
  /** All the model read, white space folded. */
  readonly text: string;
  /** The same in lower case. */
  readonly lower: string;
  /** The same without marks of quotes, code and emphasis, which writers set as they like. */
  readonly bare: string;
  /** Names, paths, numbers and hashes in it. */
  readonly names: ReadonlySet<string>;
  /** What the user demanded or forbade. */
  readonly constraints: readonly Fact[];
  /** Values that were replaced, with what holds now. */
  readonly stale: readonly { readonly fact: Fact; readonly now: Fact }[];
}

/** A check of one line: true when the line must go. Its name stands in the receipt. */
export interface LineCheck {
  readonly name: string;
  readonly fails: (line: SummaryLine, source: Source) => boolean;
}

const NEGATION =
  /\b(?:not|no|never|none|without|don'?t|doesn'?t|mustn'?t|shouldn'?t|can'?t|cannot|won'?t|isn'?t|avoid|forbid(?:den|s)?|prohibit\w*|instead of|nicht|kein\w*|nie(?:mals)?|pas|jamais|nunca|нельзя|не)\b|不|勿|禁止|别/i;
/** Says that a rule is gone. That it is, code knows from the user's own words; a model may not decide it. */
const LIFTED = /\b(?:withdrawn|lifted|revoked|waived|overruled|no longer (?:holds|applies|in force|needed))\b/i;
const INJECTION =
  /\b(?:ignore (?:all|any|the|previous|prior|above)|disregard (?:all|the|previous)|you are now|new instructions?|system prompt|reveal (?:the|your)|do anything now|send (?:it|them|the \w+) to http)/i;
const REPLACED =
  /\b(?:replaced|earlier|formerly|previous(?:ly)?|used to|was|old|instead of|changed|from .+ to|→|->|raised|lowered)\b/i;
/** Words in common that make a line and a constraint the same matter. */
const SAME_MATTER = 0.6;
/** And so much of the line must be about it: a sentence that says more is not the rule turned round. */
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

/** Speaks of a setting: of what it is called and of whose it is, in any order. */
function namesKey(text: string, key: string): boolean {
  const lower = text.toLowerCase();
  return key
    .toLowerCase()
    .split(' ')
    .every((word) => lower.includes(word));
}

/** A name occurs in the source, or is put together from parts that do, as people write `stop/post-task`. */
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

/** Quotes that begin and end where quotes do; marks inside code and inside another quote are part of it. */
function quotesIn(text: string): readonly string[] {
  const masked = text.replaceAll(/`[^`]*`/g, (code) => '.'.repeat(code.length));
  return [...masked.matchAll(/(?<![^\s(["])"((?:[^"]|"(?![\s).,;:!?\]]|$)){12,}?)"(?=[\s).,;:!?\]]|$)/g)].map((match) =>
    text.slice(match.index + 1, match.index + match[0].length - 1),
  );
}

/** What a quote says in one go: words may be left out where dots say so. */
function piecesOf(quote: string): readonly string[] {
  return singleSpaced(quote)
    .split(/\s*(?:…|\.{3}|\[[^\]]*\])\s*/)
    .map((piece) => piece.replace(/[.,;:]+$/, ''));
}

/** Words that a writer joined, as in `code-free` or `re-edited`: no name of anything, unless it stands as code. */
function isCoined(name: string, text: string, { lower }: Source): boolean {
  const parts = name.toLowerCase().split('-');
  if (parts.some((part) => !/^[a-z]+$/.test(part)) || text.includes(`\`${name}`) || text.includes(`${name}\``))
    return false;
  return parts.every((part) => JOINING.test(part) || lower.includes(part));
}

/** What English joins to other words with a hyphen. */
const JOINING =
  /^(?:re|pre|post|non|un|self|multi|single|per|co|sub|semi|anti|cross|half|one|two|three|four|free|only|based|specific|level|side|wide|related|like|time|driven|facing|out|up|in|off|on|by|to|the|of|and|ready|safe|aware|first|last|wise|style|sized|long|short|end|user|\w{3,}(?:ed|ing))$/;

/** Sentences of a line that speak of the matter of a rule, and of little else. Who repeats the rule word for word says what it says. */
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
