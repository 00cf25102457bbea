import type { Probe } from '../../types.ts';
import { type Complaint, complaintsOf } from '../check/gates.ts';
import { isProtected } from '../check/regions.ts';
import { spansOf, type Transcript } from '../check/transcript.ts';
import type { ProbeCandidate } from './candidate.ts';

/** Most probes from one message. More would only measure the fate of that message. */
const MOST_OF_A_MESSAGE = 2;
/** Extra worth of a fact that is used again later, because the work clearly needed it. */
const USED_AGAIN = 2;
/** Most candidates to examine. A session that has not filled the bank by then holds too few facts. */
const MOST_LOOKED_AT = 400;

/** A candidate that was not taken, and the reason. */
export interface NotTaken {
  /** Its question. */
  readonly question: string;
  /** The gate it failed, and why. */
  readonly complaint: Complaint;
}

export interface Chosen {
  readonly probes: readonly Probe[];
  readonly rejected: readonly NotTaken[];
}

export interface ChooseInput {
  readonly candidates: readonly ProbeCandidate[];
  readonly count: number;
  readonly transcript: Transcript;
  readonly secretsIn: (text: string) => readonly string[];
}

/** Takes candidates in turn from every kind and every third of the session, the most valuable first, as long as they pass the gates. */
export function choose({ candidates, count, transcript, secretsIn }: ChooseInput): Chosen {
  const probes: Probe[] = [];
  const rejected: NotTaken[] = [];
  const taken = new Map<number, number>();
  let looked = 0;
  for (const candidate of inTurns(candidates, transcript)) {
    if (probes.length >= count || looked >= MOST_LOOKED_AT) break;
    if (candidate.message >= 0 && (taken.get(candidate.message) ?? 0) >= MOST_OF_A_MESSAGE) continue;
    if (isExpected(candidate, probes)) continue;
    looked += 1;
    const probe = probeOf(candidate, probes);
    const complaint = firstComplaint({ probe, probes: [...probes, probe], transcript, secretsIn });
    if (complaint === null) {
      probes.push(probe);
      taken.set(candidate.message, (taken.get(candidate.message) ?? 0) + 1);
    } else rejected.push({ question: candidate.question, complaint });
  }
  return { probes, rejected };
}

/** Says whether a probe already expects one of these facts. Asked twice, it would count twice. */
function isExpected({ expected }: ProbeCandidate, probes: readonly Probe[]): boolean {
  const known = new Set(probes.flatMap((probe) => probe.expected.map(({ value }) => value)));
  return expected.some(({ value }) => known.has(value));
}

function firstComplaint(input: Parameters<typeof complaintsOf>[0]): Complaint | null {
  // A bank may keep a probe with a warning, but a draft can do better.
  const [own] = complaintsOf(input);
  if (own !== undefined) return own;
  const { probe, probes } = input;
  const [given] = probes
    .filter((other) => other !== probe)
    .flatMap((other) => complaintsOf({ ...input, probe: other, only: ['floor', 'unique'] }));
  return given ?? null;
}

function probeOf({ prefix, type, question, expected }: ProbeCandidate, others: readonly Probe[]): Probe {
  const number = others.filter(({ id }) => id.startsWith(`${prefix}-`)).length + 1;
  return { id: `${prefix}-${number}`, type, question, expected, pass: null };
}

/** Takes one candidate from each group in turn. A group is one kind in one third of the session. Facts that every view keeps are left out. */
function* inTurns(candidates: readonly ProbeCandidate[], transcript: Transcript): Generator<ProbeCandidate> {
  const scored = candidates
    .filter(({ message }) => message < 0 || !isProtected(transcript.regions[message] ?? 'folded'))
    .map((candidate) => ({ candidate, priority: priorityOf(candidate, transcript) }))
    .sort((one, other) => other.priority - one.priority || one.candidate.message - other.candidate.message);
  const groups = [...Map.groupBy(scored, ({ candidate }) => groupOf(candidate, transcript)).values()];
  for (let turn = 0; groups.some((group) => turn < group.length); turn++)
    for (const group of groups) {
      const next = group[turn];
      if (next !== undefined) yield next.candidate;
    }
}

function groupOf({ prefix, type, message }: ProbeCandidate, { texts }: Transcript): string {
  return `${prefix} ${type} ${Math.floor((3 * Math.max(0, message)) / Math.max(1, texts.length))}`;
}

/** Returns the worth of a candidate, with extra for facts that the work needed again. */
function priorityOf({ worth, expected, message }: ProbeCandidate, transcript: Transcript): number {
  const isUsed = expected.some(
    ({ value }) => value.length <= 80 && spansOf(value, transcript).some((span) => span.message > message + 1),
  );
  return worth + (isUsed ? USED_AGAIN : 0);
}
