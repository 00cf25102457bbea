import { textOf } from '../../../core/conversation/message.ts';
import type { Fact } from '../../../core/facts/fact.ts';
import type { ProbeFactKind } from '../../types.ts';
import type { Transcript } from '../check/transcript.ts';
import { type ProbeCandidate, placedFact } from './candidate.ts';
import { gapAt } from './gap.ts';

/** Proposes values that somebody would copy: settings by their key, others by the words around them. */
export function valueCandidates(transcript: Transcript): readonly ProbeCandidate[] {
  const values = transcript.ledger.filter(({ kind, status }) => kind === 'value' && status === 'current');
  const replaced = replacedValues(transcript);
  const kept = values.flatMap((fact) => {
    const value = fact.needles[0] ?? '';
    if (value.length < 2) return [];
    if (fact.key === value) return unkeyedOf(fact, value, transcript) ?? [];
    const stale = (replaced.get(fact.key) ?? []).filter((old) => old !== value);
    return keyedOf(fact, { value, stale }, transcript) ?? [];
  });
  return [...kept, ...numberCandidates(transcript)];
}

/** Lists the earlier values of each key, in order. */
function replacedValues({ ledger }: Transcript): ReadonlyMap<string, readonly string[]> {
  const stale = ledger.filter(({ kind, status }) => kind === 'value' && status === 'stale');
  const facts = Map.groupBy(stale, ({ key }) => key);
  return new Map([...facts].map(([key, all]) => [key, all.flatMap(({ needles }) => needles.slice(0, 1))]));
}

function keyedOf(
  fact: Fact,
  { value, stale }: { readonly value: string; readonly stale: readonly string[] },
  transcript: Transcript,
): ProbeCandidate | null {
  const key = fact.key.trim();
  const kind: ProbeFactKind = /^[\d.,]+%?$/.test(value) ? 'number' : 'identifier';
  const placed = placedFact({ value, kind, stale }, transcript);
  // A short number occurs everywhere, so its place must be near its key.
  const at = fact.source.message - 1;
  const isThere =
    transcript.texts[at]?.includes(value) === true &&
    transcript.hays[at]?.lower.includes((key.split(' ').at(-1) ?? key).toLowerCase()) === true;
  if (placed === null || (!isThere && kind === 'number')) return null;
  const start = transcript.texts[at]?.indexOf(value) ?? -1;
  const spans = start < 0 ? placed.spans : [{ message: at, start, end: start + value.length }];
  const question =
    stale.length > 0 ? `What is \`${key}\` now, after it was changed?` : `What is the value of \`${key}\`?`;
  const type = stale.length > 0 ? 'supersession' : 'recall';
  return {
    prefix: 'v',
    type,
    question,
    expected: [{ ...placed, spans }],
    message: at,
    worth: fact.weight + (stale.length > 0 ? 2 : 0),
  };
}

export const KINDS: Readonly<Record<string, ProbeFactKind>> = {
  url: 'url',
  uuid: 'hash',
  hash: 'hash',
  amount: 'number',
  date: 'prose',
};
/** Kinds that are never asked for: an evaluation needs nobody's address. */
const UNASKED: ReadonlySet<string> = new Set(['mail']);

/** Proposes an id or value that has no key. */
function unkeyedOf(fact: Fact, value: string, transcript: Transcript): ProbeCandidate | null {
  const sort = fact.text.slice(0, Math.max(0, fact.text.length - value.length - 1));
  if (UNASKED.has(sort)) return null;
  const at = fact.source.message - 1;
  const start = transcript.texts[at]?.indexOf(value) ?? -1;
  const kind = KINDS[sort] ?? 'identifier';
  return gapAt({ value, kind, noun: NOUNS[sort] ?? 'value', at, start, worth: fact.weight }, transcript);
}

/** Proposes numbers that people and the assistant said, with their context: `43 of 48`, `1180 requests`. */
function numberCandidates(transcript: Transcript): readonly ProbeCandidate[] {
  return transcript.messages.flatMap((message, at) => {
    if (message.role !== 'user' && message.role !== 'assistant') return [];
    const said = textOf(message).slice(0, MOST_READ);
    if (!(transcript.texts[at] ?? '').startsWith(said)) return [];
    return [...said.matchAll(NUMBER)].slice(0, MOST_NUMBERS).flatMap((match) => {
      const gap = { value: match[0], kind: 'number' as const, noun: 'figure', at, start: match.index, worth: 1 };
      return gapAt(gap, transcript) ?? [];
    });
  });
}

const MOST_READ = 4_000;
const MOST_NUMBERS = 6;
/** Numbers that are hard to guess: a part of a whole, a measurement, or three digits and more. */
const NUMBER =
  /(?<![\w.,:/#-])(?:\d[\d,.]* of \d[\d,.]*|\d[\d,.]*\s?(?:%|ms|s|min|hours?|kB|KB|MB|GB|MiB|GiB)|\d{3,}|\d{1,3}(?:,\d{3})+)(?![\w.:/-]*\w)/g;

export const NOUNS: Readonly<Record<string, string>> = {
  url: 'address',
  uuid: 'id',
  hash: 'hash',
  amount: 'amount',
  date: 'date',
  address: 'address',
  version: 'version',
  ticket: 'number',
  code: 'code',
};
