import { type AnswerOutcome, DIMENSIONS, type ExpectedFact, type Grades, type Probe } from '../types.ts';
import { isAbstention } from './exam.ts';
import { JUDGE_VERDICTS, type JudgeVerdict, RUBRIC } from './rubric.ts';

/** Number of retries when a judge's answer cannot be read. */
export const JUDGE_RETRIES = 2;

export interface JudgeInput {
  readonly probe: Probe;
  readonly answer: string;
  /** Passages of the source that hold the facts. */
  readonly quotes: readonly string[];
  /** A strong hash, for marks that no answer contains by chance. */
  readonly digest: (text: string) => string;
}

/** Writes the request to a judge. It holds the question, the facts and the answer, never the state or the name of the arm. */
export function judgeRequest({ probe, answer, quotes, digest }: JudgeInput): {
  readonly instructions: string;
  readonly prompt: string;
} {
  const mark = digest(`${probe.id}\n${answer}`).slice(0, 8);
  const facts = probe.expected.length === 0 ? ['(none: it was never said)'] : probe.expected.map(factLine);
  const source =
    quotes.length === 0
      ? []
      : ['', 'Where the session says it:', ...quotes.map((quote) => `> ${quote.replaceAll('\n', '\n> ')}`)];
  return {
    instructions: RUBRIC,
    prompt: [
      `Question (${probe.type}): ${probe.question}`,
      '',
      'Expected facts:',
      ...facts,
      ...source,
      '',
      `<answer-${mark}>`,
      answer.replaceAll(/<(\/?answer)/gi, '<\u200b$1'),
      `</answer-${mark}>`,
    ].join('\n'),
  };
}

function factLine({ value, aliases, stale, forbidden, weight }: ExpectedFact): string {
  const more = [
    aliases.length > 0 ? `also right: ${aliases.join(' | ')}` : '',
    stale.length > 0 ? `no longer true: ${stale.join(' | ')}` : '',
    forbidden.length > 0 ? `wrong: ${forbidden.join(' | ')}` : '',
    weight === 'okay' ? 'of lesser weight' : '',
  ].filter((text) => text !== '');
  return `- ${value}${more.length === 0 ? '' : ` (${more.join('; ')})`}`;
}

/** A judge's answer after reading. */
export type ReadVerdict =
  | { readonly type: 'graded'; readonly grades: Grades; readonly verdict: JudgeVerdict; readonly note: string }
  | { readonly type: 'unreadable'; readonly reason: string };

const KEYS: readonly string[] = [...DIMENSIONS, 'outcome', 'note'];
/** Characters to read from the end, because a judge that thinks aloud gives its verdict last. */
const MOST_CHARS = 20_000;
const MOST_NOTE = 500;

/** Reads a judge's answer. Only the last JSON object counts, and it must have exactly the expected keys. Text around it is ignored. */
export function parseVerdict(text: string): ReadVerdict {
  const value = lastObject(text.slice(-MOST_CHARS));
  if (value === null) return unreadable('no JSON object in it');
  const given = Object.keys(value);
  const missing = KEYS.find((key) => !given.includes(key));
  if (missing !== undefined) return unreadable(`\`${missing}\` is missing`);
  const unknown = given.find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return unreadable(`unknown key \`${unknown.slice(0, 40)}\``);
  const grades: Record<string, number | null> = {};
  for (const dimension of DIMENSIONS) {
    const grade = value[dimension];
    if (grade !== null && !(typeof grade === 'number' && Number.isInteger(grade) && grade >= 0 && grade <= 5))
      return unreadable(`\`${dimension}\` is not a whole number from 0 to 5 or null`);
    grades[dimension] = grade;
  }
  if (grades['accuracy'] === null || grades['completeness'] === null)
    return unreadable('accuracy and completeness always apply');
  const verdict = JUDGE_VERDICTS.find((each) => each === value['outcome']);
  if (verdict === undefined) return unreadable('`outcome` is none that is known');
  const { note } = value;
  if (typeof note !== 'string') return unreadable('`note` is not a text');
  return { type: 'graded', grades: grades as Grades, verdict, note: note.slice(0, MOST_NOTE) };
}

function unreadable(reason: string): ReadVerdict {
  return { type: 'unreadable', reason };
}

/** Decides the outcome of an answer. Code recognises an abstention, whatever the judge says. */
export function outcomeOf(probe: Probe, answer: string, verdict: JudgeVerdict): AnswerOutcome {
  if (!isAbstention(answer)) return verdict;
  return probe.expected.length === 0 ? 'correct' : 'abstained';
}

function lastObject(text: string): Readonly<Record<string, unknown>> | null {
  let last: Readonly<Record<string, unknown>> | null = null;
  for (let at = text.indexOf('{'); at >= 0; ) {
    const end = endOfObject(text, at);
    const value = end === null ? null : parsed(text.slice(at, end));
    if (value !== null) last = value;
    at = text.indexOf('{', value === null || end === null ? at + 1 : end);
  }
  return last;
}

/** Finds the end of the object whose brace opens here; null when it is not closed. */
function endOfObject(text: string, from: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return null;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}
