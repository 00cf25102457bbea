import { type Entry, type Passage, passageIn } from '../record/entry.ts';
import type { FoundFact } from './fact.ts';
import { Variables } from './variables.ts';

/**
 * Identifiers and values that people copy rather than remember: hashes, pull request and order numbers, addresses, ports, versions, variables,
 * dates, amounts. A key before the value (`port 8080`, `LIMIT=100`) makes later values replace earlier ones.
 */
interface ValuePattern {
  readonly sort: string;
  readonly pattern: RegExp;
  /** Splits a match into key and value; null when it is no value after all. Without this function, the value is its own key. */
  readonly keyed?: (match: RegExpExecArray) => { readonly key: string; readonly value: string } | null;
}

const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';

/** The first pattern that matches a stretch of text claims it, so that the parts of an address are not values of their own. */
const PATTERNS: readonly ValuePattern[] = [
  {
    sort: 'variable',
    pattern: /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z][A-Z0-9]{2,}(?==))\s*(?:=(?!=)|:(?!:))\s*["'`]?([^\s"'`,;()]+)/g,
    keyed: ([, key = '', value = '']) => ({ key, value }),
  },
  { sort: 'url', pattern: /https?:\/\/[^\s"'`<>()\]]+[^\s"'`<>()\].,;:!?]/g },
  { sort: 'mail', pattern: /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b/g },
  { sort: 'uuid', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi },
  {
    sort: 'date',
    pattern: new RegExp(
      [
        String.raw`\b\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w-])`,
        String.raw`\b(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d\b`,
        String.raw`\b(?:19|20)\d\d[./](?:0?[1-9]|1[0-2])[./](?:0?[1-9]|[12]\d|3[01])\b(?!\.\d)`,
        String.raw`\b(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])/(?:19|20)\d\d\b`,
        String.raw`\b(?:${MONTH})\.? \d{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)\d\d)?\b`,
        String.raw`\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})(?:,? (?:19|20)\d\d)?\b`,
      ].join('|'),
      'g',
    ),
  },
  {
    sort: 'amount',
    pattern:
      /[$€£¥]\s?\d(?:[\d,.]*\d)?(?:\s?(?:k|M|bn))?\b|\b\d(?:[\d,.]*\d)?\s?(?:USD|EUR|GBP|JPY|CNY|CHF|dollars|euros)\b|\b\d(?:[\d,.]*\d)?\s?[€£¥]/g,
  },
  {
    sort: 'address',
    pattern: /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5}|\/\d{1,2})?(?![\d.]*\d)|\blocalhost:\d{2,5}\b/g,
  },
  {
    sort: 'version',
    pattern: /(?<![\d.])\bv?\d+\.\d+\.\d+(?:-[\w.]*\w)?\b(?!\.?\d)|(?:@[\w-]+\/)?\b[\w-]+@\d+(?:\.\d+)+\b/g,
  },
  {
    sort: 'ticket',
    pattern:
      /\b(?:PR|[Pp]ull [Rr]equest|MR|[Ii]ssue|[Tt]icket|[Bb]ug|[Oo]rder|[Ii]nvoice|[Bb]ooking|[Rr]eservation|[Cc]ase(?=\s*(?:no\b|number|id\b|ID\b|#|[A-Z]))|[Cc]laim)\s*(?:no\.?|number|id|ID)?\s*[#:]?\s*[A-Z]{0,5}-?\d[\w-]*|(?<![\w&#])#(?:[A-Z]{1,5}-?\d[\w-]*|\d+)\b/g,
  },
  {
    sort: 'code',
    pattern:
      /\b(?!(?:UTF|SHA|ISO|AES|RSA|MD|RFC|GPT|HTTP|BASE|HS|RS|ES|CP|TLS|IPV|COVID|UTC|GMT|ASCII|H)-?\d)(?:[A-Z]{2,10}-\d{1,8}(?:-\d+)*|[A-Z]{2}\d{3,4}|(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6,12})\b/g,
  },
  { sort: 'hash', pattern: /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])(?!\d+e\d+\b)[0-9a-f]{7,40}\b/g },
  {
    sort: 'setting',
    pattern: /\b([a-z][A-Za-z0-9-]*(?:[._][A-Za-z0-9-]+)+)\s*(?:=(?!=)|:\s)\s*["'`]?(\d[\w.%]*|true|false|on|off)\b/g,
    keyed: ([, key = '', value = '']) => ({ key, value }),
  },
  {
    sort: 'setting',
    pattern:
      /(?:\b([A-Za-z]+)[ _-])?\b(ports?|limit|timeout|window|threshold|retries|replicas|max(?![a-z]{0,2}\b)\w*|maximum|minimum|min_\w+|min(?:size|count|length|age|value)|ttl|interval|budget|deadline)\b\s*(?:(?:is|was|to|of|at|now|set|from \S+ to|=(?!=)|:|→|->)\s*){0,4}["'`]?(\d[\w.%]*)/gi,
    keyed: ([, before = '', key = '', value = '']) => ({
      key: (LEADING_WORDS.has(before.toLowerCase()) ? key : `${before} ${key}`).toLowerCase(),
      value,
    }),
  },
  {
    sort: 'setting',
    pattern:
      /\b(branch)\b\s*(?:(?:is|was|to|now|named|called|=|:)\s*){0,2}(?:["'`]([\w./-]+)["'`]|([\w-]+\/[\w/.-]*\w|main|master|develop)\b)/gi,
    // `createBranch` after a colon is a function.
    keyed: ([whole, key = '', quoted, plain = '']) =>
      /:\s*["'`]\w*[a-z][A-Z]\w*["'`]$/.test(whole) ? null : { key: key.toLowerCase(), value: quoted ?? plain },
  },
];

/** Words before a setting that do not tell which one is meant, unlike `rate` in `rate limit`. */
const LEADING_WORDS: ReadonlySet<string> = new Set(
  (
    ' the a an on at to of in and or for from with by is was as new old our its this that my your their same current default another different any no ' +
    'change changed set use using used raise raised lower lowered increase increased decrease decreased bump bumped update updated make keep put move moved under over ' +
    'get gets got give gives gave has have had need needs want wants'
  ).split(' '),
);

/** Most values to take from one passage: more are a listing, not facts. */
const VALUES_PER_PASSAGE = 6;
/** Passages are shorter; of a longer text, only this much is read. */
const VALUES_CHARS = 1_000;

export function valueFacts(entries: readonly Entry[]): readonly FoundFact[] {
  const facts = new Map<string, FoundFact>();
  const variables = new Map<string, Variables>();
  const mentions = new Map<string, number>();
  for (const entry of entries)
    for (const [index, passage] of entry.passages.entries()) {
      if (!speaksOfValues(passage)) continue;
      const byUser = passage.voice === 'user';
      for (const { key, value, sort, at } of valuesIn(passage.text)) {
        const id = `${key}=${value}`;
        mentions.set(id, (mentions.get(id) ?? 0) + 1);
        if (key !== value) {
          const known = variables.get(key) ?? new Variables();
          variables.set(key, known);
          const replaced = known.say(passage.text, value, at);
          if (replaced !== null) replace(facts, `${key}=${replaced}`);
        }
        facts.set(id, {
          kind: 'value',
          key,
          text: key === value ? `${sort} ${value}` : `${key} = ${value}`,
          needles: [value],
          status: 'current',
          source: facts.get(id)?.source ?? { message: entry.number, passage: passageIn(entry, index) },
          grounds: {
            byUser,
            userSaid: byUser || facts.get(id)?.grounds.userSaid === true,
            times: mentions.get(id) ?? 1,
          },
        });
      }
    }
  return [...facts.values()].map((fact) => {
    const label = variables.get(fact.key)?.labelOf(fact.needles[0] ?? '') ?? null;
    return label === null ? fact : { ...fact, key: `${label} ${fact.key}`, text: `${label} ${fact.text}` };
  });
}

/** True for the words of users and agents. Values in arguments, output and file contents are no facts. */
function speaksOfValues(passage: Passage): boolean {
  return passage.voice === 'user' || passage.voice === 'assistant' || passage.voice === 'report';
}

/** Marks a replaced value as stale. The user no longer stands by it, until the user says it again. */
function replace(facts: Map<string, FoundFact>, id: string): void {
  const fact = facts.get(id);
  if (fact !== undefined) facts.set(id, { ...fact, status: 'stale', grounds: { ...fact.grounds, userSaid: false } });
}

interface FoundValue {
  readonly key: string;
  readonly value: string;
  readonly sort: string;
  /** Where its match ends in the text. */
  readonly at: number;
}

export function valuesIn(passage: string): readonly FoundValue[] {
  const text = passage.slice(0, VALUES_CHARS);
  const found: FoundValue[] = [];
  const claimed = new Uint8Array(text.length);
  for (const { sort, pattern, keyed } of PATTERNS)
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (claimed.subarray(match.index, end).includes(1)) continue;
      const pair = keyed === undefined ? { key: match[0], value: match[0] } : keyed(match);
      const value = pair?.value.replace(/[.!?:]+$/, '').trim();
      if (pair === null || value === undefined || value === '') continue;
      claimed.fill(1, match.index, end);
      found.push({ key: keyed === undefined ? value : pair.key, value, sort, at: end });
    }
  return found.sort((left, right) => left.at - right.at).slice(0, VALUES_PER_PASSAGE);
}
