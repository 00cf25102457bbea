import { redact } from '../../../core/redact/redact.ts';
import { isFound } from '../../survival/match/found.ts';
import { type Haystack, haystackOf, plainText } from '../../survival/match/haystack.ts';
import { matchFact } from '../../survival/match/match.ts';
import type { ExpectedFact, Probe } from '../../types.ts';
import { isProtected } from './regions.ts';
import { messagesWith, type Transcript } from './transcript.ts';

/** The gates that a probe must pass to measure compaction and nothing else. */
export const PROBE_GATES = [
  'expected',
  'literal',
  'unique',
  'question',
  'region',
  'secret',
  'contradiction',
  'ceiling',
  'floor',
] as const;
/** One of `PROBE_GATES`. */
export type ProbeGate = (typeof PROBE_GATES)[number];

/** Why a probe fails a gate. */
export interface Complaint {
  /** The gate. */
  readonly gate: ProbeGate;
  /** `unsound` probes measure something else; a `warning` deserves a look. */
  readonly severity: 'unsound' | 'warning';
  /** The value it is about; null for the probe itself. */
  readonly fact: string | null;
  /** One sentence. */
  readonly text: string;
}

export interface GateInput {
  readonly probe: Probe;
  readonly probes: readonly Probe[];
  readonly transcript: Transcript;
  /** Finds the kinds of secrets and personal data in a text. */
  readonly secretsIn: (text: string) => readonly string[];
  /** @default every gate */
  readonly only?: readonly ProbeGate[];
}

type Check = (input: GateInput) => readonly Complaint[];

/** Lists all complaints about a probe, in the order of the gates. */
export function complaintsOf(input: GateInput): readonly Complaint[] {
  return PROBE_GATES.filter((gate) => input.only?.includes(gate) ?? true).flatMap((gate) => CHECKS[gate](input));
}

export function usualSecrets(text: string): readonly string[] {
  return redact(text).found.map(({ kind }) => kind);
}

function unsound(gate: ProbeGate, fact: string | null, text: string): Complaint {
  return { gate, severity: 'unsound', fact, text };
}

function warning(gate: ProbeGate, fact: string | null, text: string): Complaint {
  return { gate, severity: 'warning', fact, text };
}

const expected: Check = ({ probe }) => {
  if (probe.type === 'abstention')
    return probe.expected.length === 0
      ? []
      : [unsound('expected', null, 'expects facts, but what was never said has none: the right answer is to abstain')];
  if (probe.expected.length === 0)
    return [unsound('expected', null, 'expects no facts, so every answer would be right')];
  return probe.expected.some(({ weight }) => weight === 'vital')
    ? []
    : [warning('expected', null, 'has no vital fact')];
};

const literal: Check = ({ probe, transcript }) =>
  probe.expected.flatMap((fact) => {
    const { value, kind, spans } = fact;
    const moved = spans.find(({ message, start, end }) => transcript.texts[message]?.slice(start, end) !== value);
    if (moved !== undefined)
      return [
        unsound('literal', value, `is not at its span in message ${moved.message} (${moved.start} to ${moved.end})`),
      ];
    const found = matchFact({ ...fact, aliases: [] }, transcript.whole, { question: probe.question });
    if (found.outcome === 'verbatim') return [];
    if (found.outcome === 'normalised' && (kind !== 'prose' || found.note.startsWith('the same but')))
      return [warning('literal', value, `is in the session in another form only, ${found.note}`)];
    const alias = fact.aliases.find((text) => transcript.whole.lower.includes(plainText(text).toLowerCase()));
    if (alias !== undefined) return [warning('literal', value, `is in the session only as its alias \`${alias}\``)];
    return [unsound('literal', value, `is not in the session as it is written (${found.note})`)];
  });

const unique: Check = ({ probe, probes }) => {
  const complaints: Complaint[] = [];
  if (probes.filter(({ id }) => id === probe.id).length > 1)
    complaints.push(unsound('unique', null, `shares its id with another probe`));
  const question = plainText(probe.question).toLowerCase();
  const other = probes.find(
    (each) => each !== probe && each.pass === probe.pass && plainText(each.question).toLowerCase() === question,
  );
  if (other !== undefined) complaints.push(unsound('unique', null, `asks the same as ${other.id}`));
  const twice = probe.expected.find(
    ({ value }, index) => probe.expected.findIndex((each) => each.value === value) < index,
  );
  if (twice !== undefined) complaints.push(unsound('unique', twice.value, 'is expected twice'));
  return complaints;
};

const inQuestion: Check = ({ probe }) => {
  const asked = haystackOf(probe.question);
  return probe.expected
    .filter((fact) => isIn(fact, asked))
    .map(({ value }) => unsound('question', value, 'stands in its own question'));
};

function isIn(fact: ExpectedFact, hay: Haystack): boolean {
  return isFound(matchFact({ ...fact, stale: [], forbidden: [] }, hay));
}

const PLACES: Readonly<Record<string, string>> = {
  system: 'the system prompt',
  task: 'the task',
  tail: 'the newest messages',
};

const region: Check = ({ probe, transcript }) =>
  probe.expected.flatMap(({ value, kind }) => {
    const messages = messagesWith({ value, kind, question: probe.question }, transcript);
    const kept = messages.find((message) => isProtected(transcript.regions[message] ?? 'folded'));
    if (kept !== undefined) {
      const place = PLACES[transcript.regions[kept] ?? ''] ?? 'what is kept';
      return [unsound('region', value, `stands in ${place} (message ${kept}), which every view keeps`)];
    }
    const recent = messages.find((message) => transcript.regions[message] === 'recent');
    if (recent === undefined) return [];
    return [warning('region', value, `stands in message ${recent} too, which plain truncation to a tenth keeps`)];
  });

const secret: Check = ({ probe, secretsIn }) => {
  const texts = [probe.question, ...probe.expected.flatMap(({ value, aliases }) => [value, ...aliases])];
  const kinds = [...new Set(texts.flatMap((text) => secretsIn(text)))];
  return kinds.map((kind) => unsound('secret', null, `holds what looks like a secret or a personal thing: ${kind}`));
};

const contradiction: Check = ({ probe, transcript }) =>
  probe.expected.flatMap((fact) => [
    ...staleComplaints(fact, probe, transcript),
    ...laterComplaints(fact, probe, transcript),
  ]);

/** Checks that the session says a replaced value, and does not say it last. */
function staleComplaints(fact: ExpectedFact, { question }: Probe, transcript: Transcript): readonly Complaint[] {
  const { value, kind, stale, forbidden, aliases } = fact;
  const says = [value, ...aliases].map((text) => plainText(text).toLowerCase());
  const same = [...stale, ...forbidden].find((text) => says.includes(plainText(text).toLowerCase()));
  if (same !== undefined) return [unsound('contradiction', value, `is listed as wrong too: \`${same}\``)];
  const last = messagesWith({ value, kind, question }, transcript).at(-1) ?? -1;
  return stale.flatMap((old) => {
    const places = messagesWith({ value: old, kind, question }, transcript);
    if (places.length === 0)
      return [warning('contradiction', value, `lists \`${old}\` as replaced, which the session never says`)];
    if ((places[0] ?? 0) <= last) return [];
    return [
      unsound(
        'contradiction',
        value,
        `is said last in message ${last}, but \`${old}\`, listed as replaced, first after it`,
      ),
    ];
  });
}

/** Complains when the ledger holds a newer value for the fact's key. */
function laterComplaints(
  { value, kind, stale }: ExpectedFact,
  { type, question }: Probe,
  { ledger }: Transcript,
): readonly Complaint[] {
  if (kind !== 'number' && kind !== 'identifier') return [];
  const replaced = ledger.find((fact) => fact.kind === 'value' && fact.status === 'stale' && fact.needles[0] === value);
  if (replaced === undefined || stale.length > 0) return [];
  const now = ledger.find((fact) => fact.kind === 'value' && fact.status === 'current' && fact.key === replaced.key);
  if (
    now === undefined ||
    ledger.some((fact) => fact.kind === 'value' && fact.status === 'current' && fact.needles[0] === value)
  )
    return [];
  const isAsked = plainText(question).toLowerCase().includes(replaced.key.trim().toLowerCase());
  const text = `may have been replaced: \`${now.text}\` is said later (message ${now.source.message - 1})`;
  return [
    isAsked && type !== 'supersession' ? unsound('contradiction', value, text) : warning('contradiction', value, text),
  ];
}

const ceiling: Check = ({ probe, transcript }) =>
  probe.expected.flatMap((fact) => {
    const found = matchFact(fact, transcript.whole, { question: probe.question, source: transcript.whole });
    if (isFound(found)) return [];
    return [unsound('ceiling', fact.value, `is not found even in the whole session: ${found.outcome}, ${found.note}`)];
  });

/** Answers that are easy to guess. */
const GUESSED =
  /^(?:yes|no|true|false|none|nothing|correct|confirmed|valid|done|ok|clean|merged|success|failed|open|closed|one|two|three|\d)$/i;

const floor: Check = ({ probe, probes }) =>
  probe.expected.flatMap((fact) => {
    if (GUESSED.test(fact.value.trim())) return [unsound('floor', fact.value, 'can be guessed without the session')];
    const others = probes.filter((each) => each !== probe && isIn(fact, haystackOf(each.question)));
    const [other] = others;
    return other === undefined
      ? []
      : [unsound('floor', fact.value, `stands in the question of ${other.id}, which gives it away`)];
  });

const CHECKS: Readonly<Record<ProbeGate, Check>> = {
  expected,
  literal,
  unique,
  question: inQuestion,
  region,
  secret,
  contradiction,
  ceiling,
  floor,
};
