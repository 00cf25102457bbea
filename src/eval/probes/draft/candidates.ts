import type { Fact } from '../../../core/facts/fact.ts';
import { classify, isDecision } from '../../../core/language/classify.ts';
import { contentOf } from '../../survival/match/words.ts';
import type { Transcript } from '../check/transcript.ts';
import { type ProbeCandidate, placedFact, topicOf } from './candidate.ts';
import { fileCandidates } from './files.ts';
import { outputCandidates } from './outputs.ts';
import { valueCandidates } from './values.ts';

/** Collects everything that could be asked about a session, by code alone. */
export function candidatesOf(transcript: Transcript): readonly ProbeCandidate[] {
  return [
    ...statementCandidates(transcript),
    ...fileCandidates(transcript),
    ...valueCandidates(transcript),
    ...outputCandidates(transcript),
    ...errorCandidates(transcript),
    ...taskCandidates(transcript),
  ];
}

/** Longer sentences are hard to ask for; shorter ones say too little. */
const LONGEST = 200;
const SHORTEST = 12;
const LEAST_WORDS = 5;

interface Statement {
  readonly kind: 'constraint' | 'decision';
  readonly value: string;
  readonly fact: Fact;
}

function statementCandidates(transcript: Transcript): readonly ProbeCandidate[] {
  const said = transcript.ledger.flatMap(statementsOf);
  const texts = said.map(({ value }) => value);
  return said.flatMap(({ kind, value, fact }): readonly ProbeCandidate[] => {
    const placed = placedFact({ value, kind }, transcript);
    const topic = topicOf(value, texts, transcript);
    if (placed === null || topic === null) return [];
    const question =
      kind === 'constraint'
        ? `What rule did the user give in which the word “${topic}” comes up? Quote it.`
        : `What was decided or chosen where the word “${topic}” comes up? Quote it.`;
    const base = { expected: [placed], message: fact.source.message - 1, worth: fact.weight };
    return [{ prefix: kind === 'constraint' ? 'c' : 'd', type: kind, question, ...base }];
  });
}

/** Finds the part of a statement that holds the rule or the choice, because people say several things at once. */
function statementsOf(fact: Fact): readonly Statement[] {
  const { kind, status, text } = fact;
  if ((kind !== 'constraint' && kind !== 'decision') || status !== 'current') return [];
  const clauses = text
    .split(/(?<=[.!?;:])\s+|,\s+(?=(?:but|and|also)\b)/)
    .map((clause) => clause.replace(/[.,;:]+$/, '').trim());
  const isMeant = (clause: string): boolean =>
    kind === 'constraint'
      ? classify(clause, 'user') === 'constraint'
      : isDecision(clause) && contentOf(clause).length >= LEAST_WORDS;
  return clauses
    .filter(
      (clause) => clause.length >= SHORTEST && clause.length <= LONGEST && !clause.endsWith('?') && isMeant(clause),
    )
    .slice(0, 2)
    .map((value) => ({ kind, value, fact }));
}

/** Longer commands are too unwieldy to name in a question. */
const LONGEST_COMMAND = 120;
/** Lines of a passing test run that sound like errors. */
const PASSED = /^\s*(?:✔|✓|ok\b|PASS\b)/;

function errorCandidates(transcript: Transcript): readonly ProbeCandidate[] {
  const errors = transcript.ledger.filter(({ kind }) => kind === 'error');
  return errors.flatMap((fact): readonly ProbeCandidate[] => {
    const value = fact.needles[0]?.trim() ?? '';
    const placed =
      value.length > LONGEST || value.length < SHORTEST ? null : placedFact({ value, kind: 'error' }, transcript);
    const isOnly = errors.filter(({ key }) => key === fact.key).length === 1;
    if (placed === null || !isOnly || value === fact.key || fact.key.length > LONGEST_COMMAND || PASSED.test(value))
      return [];
    const question = `Which error did \`${fact.key}\` report?`;
    return [
      {
        prefix: 'e',
        type: 'recall',
        question,
        expected: [placed],
        message: fact.source.message - 1,
        worth: fact.weight,
      },
    ];
  });
}

const MOST_TASKS = 4;

function taskCandidates(transcript: Transcript): readonly ProbeCandidate[] {
  const open = transcript.ledger.filter(({ kind, status }) => kind === 'task' && status === 'open');
  const placed = open.flatMap((fact) => placedFact({ value: taskText(fact), kind: 'todo' }, transcript) ?? []);
  const [first] = open;
  if (first === undefined || placed.length === 0 || open.length > MOST_TASKS) return [];
  const question = open.length === 1 ? 'Which task is still open?' : 'Which tasks are still open? Name each.';
  return [
    { prefix: 't', type: 'continuation', question, expected: placed, message: first.source.message - 1, worth: 3 },
  ];
}

function taskText(fact: Fact): string {
  return fact.needles[0] ?? fact.text;
}
