import type { Entry, Passage } from './entry.ts';
import type { Fact } from './fact.ts';

/**
 * Identifiers and values that one copies rather than remembers: hashes, numbers of pull requests and orders, addresses, ports, versions,
 * variables, dates, amounts. A key before the value (`port 8080`, `LIMIT=100`) makes later values replace earlier ones.
 */
interface ValuePattern {
  readonly sort: string;
  readonly pattern: RegExp;
  /** Group of the key, when the pattern has one. */
  readonly keyed: boolean;
}

const PATTERNS: readonly ValuePattern[] = [
  { sort: 'url', pattern: /https?:\/\/[^\s"'`<>()\]]+[^\s"'`<>()\].,;:!?]/g, keyed: false },
  { sort: 'uuid', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, keyed: false },
  { sort: 'hash', pattern: /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g, keyed: false },
  {
    sort: 'ticket',
    pattern:
      /(?:\b(?:PR|pull request|issue|ticket|bug|order|invoice|booking|reservation|case)\s*(?:no\.?|number|id)?\s*[#:]?\s*|#)[A-Z]{0,5}-?\d[\w-]*/gi,
    keyed: false,
  },
  {
    sort: 'code',
    pattern: /\b[A-Z]{2,10}-\d{1,8}\b|\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6,12}\b/g,
    keyed: false,
  },
  {
    sort: 'date',
    pattern: /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?\b/g,
    keyed: false,
  },
  { sort: 'amount', pattern: /(?:[$€£¥]\s?\d[\d,.]*\d|\b\d[\d,.]*\s?(?:USD|EUR|GBP|JPY|CNY|CHF))\b/g, keyed: false },
  { sort: 'version', pattern: /\bv?\d+\.\d+\.\d+(?:-[\w.]+)?\b|\b[\w-]+@\d+(?:\.\d+)+\b/g, keyed: false },
  { sort: 'variable', pattern: /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\s*[=:]\s*["']?([^\s"',;]+)/g, keyed: true },
  {
    sort: 'setting',
    pattern:
      /\b(port|limit|timeout|window|threshold|retries|max\w*|min\w*|ttl|interval|budget|deadline|branch)\b\s*(?:is|was|to|of|=|:|→|->)*\s*["'`]?(\d[\w.%]*|[\w/-]+\/[\w/-]+)/gi,
    keyed: true,
  },
];

/** A number said alone is not worth a fact; nor is a value inside a long listing. */
const VALUES_PER_PASSAGE = 6;

export function valueFacts(entries: readonly Entry[]): readonly Fact[] {
  const facts = new Map<string, Fact>();
  const latest = new Map<string, string>();
  const mentions = new Map<string, number>();
  for (const entry of entries)
    for (const [index, passage] of entry.passages.entries()) {
      if (!speaksOfValues(passage)) continue;
      for (const { key, value, sort } of valuesIn(passage.text)) {
        const id = `${key}=${value}`;
        mentions.set(id, (mentions.get(id) ?? 0) + 1);
        const before = latest.get(key);
        if (before !== undefined && before !== value) markStale(facts, `${key}=${before}`);
        latest.set(key, value);
        const weight = (passage.voice === 'user' ? 3 : 1) * (1 + Math.log2(mentions.get(id) ?? 1));
        facts.set(id, {
          kind: 'value',
          key,
          text: key === value ? `${sort} ${value}` : `${key} = ${value}`,
          needles: [value],
          status: 'current',
          source: facts.get(id)?.source ?? { message: entry.number, passage: index },
          weight,
          critical: passage.voice === 'user' || (facts.get(id)?.critical ?? false),
        });
      }
    }
  return [...facts.values()];
}

/** What people and arguments say, and the lines of output that report a result. File contents are not news. */
function speaksOfValues(passage: Passage): boolean {
  return passage.voice === 'user' || passage.voice === 'assistant' || passage.voice === 'answer';
}

function markStale(facts: Map<string, Fact>, id: string): void {
  const fact = facts.get(id);
  if (fact !== undefined) facts.set(id, { ...fact, status: 'stale', weight: fact.weight / 4, critical: false });
}

interface FoundValue {
  readonly key: string;
  readonly value: string;
  readonly sort: string;
}

export function valuesIn(text: string): readonly FoundValue[] {
  const found: FoundValue[] = [];
  for (const { sort, pattern, keyed } of PATTERNS)
    for (const match of text.matchAll(pattern)) {
      const value = (keyed ? match[2] : match[0])?.trim();
      if (value === undefined || value === '') continue;
      found.push({ key: keyed ? (match[1] ?? '').toLowerCase() : value, value, sort });
      if (found.length >= VALUES_PER_PASSAGE) return found;
    }
  return found;
}
