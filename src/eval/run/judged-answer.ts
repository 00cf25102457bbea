import type { Message } from '../../core/conversation/message.ts';
import type { Model } from '../../core/model.ts';
import { examRequest } from '../exam/exam.ts';
import { examText } from '../exam/exam-text.ts';
import { JUDGE_RETRIES, judgeRequest, outcomeOf, parseVerdict } from '../exam/judge.ts';
import type { Judged, Probe } from '../types.ts';
import { type Asked, isWhole, OVER_BUDGET } from './calls/asker.ts';
import { addUsd } from './calls/price.ts';
import { UNREADABLE } from './events.ts';
import type { RunInput, RunPorts } from './run-input.ts';

/** A probe to ask of one state. */
export interface ExamQuestion {
  readonly probe: Probe;
  /** The state as text. */
  readonly view: string;
  /** Passages that a search found, for the arm that may search; null for other arms. */
  readonly recalled: string | null;
  /** Key of the cell. */
  readonly key: string;
}

/** A graded answer and its price in US dollars; `judged` is null when no model was asked. */
export interface Judgement {
  readonly judged: Judged | null;
  readonly usd: number | null;
}

/** Asks the answerer, then the judge. A missing answer or verdict becomes an error, never a score. */
export async function judgedAnswer(question: ExamQuestion, input: RunInput, ports: RunPorts): Promise<Judgement> {
  const { exam, run } = input;
  if (exam === null) return { judged: null, usd: 0 };
  const { probe, view, recalled } = question;
  const request = examRequest({
    view,
    ...(recalled === null ? {} : { recalled }),
    question: probe.question,
    digest: ports.digest,
  });
  const answered = await ports.asker({ role: 'answer', model: exam.answerer, request, replicate: run, attempt: 0 });
  if (answered.type !== 'answered') return { judged: failed('', `the answerer ${whyNot(answered)}`), usd: 0 };
  const { text, finish, usd } = answered;
  if (!isWhole(finish)) return { judged: failed(text, `the answer broke off (${finish})`), usd };
  const graded = await gradedAnswer({ ...question, answer: text, judge: exam.judge }, input, ports);
  return { judged: graded.judged, usd: addUsd(usd, graded.usd) };
}

interface GivenAnswer extends ExamQuestion {
  readonly answer: string;
  readonly judge: Model;
}

/** Asks the judge, and retries while its verdict cannot be read. */
async function gradedAnswer(given: GivenAnswer, input: RunInput, ports: RunPorts): Promise<Judgement> {
  const { probe, answer, judge, key } = given;
  const quotes = quotesOf(probe, input.planned.conversation.messages);
  const request = judgeRequest({ probe, answer, quotes, digest: ports.digest });
  // Unreadable verdicts of an earlier process are in the cache, so these attempts are numbered after them.
  const first = (ports.earlier.unreadable.get(key) ?? 0) * (JUDGE_RETRIES + 1);
  const ask = { role: 'judge', model: judge, request, replicate: input.run, dependsOn: input.rubricDigest } as const;
  let usd: number | null = 0;
  let reason = '';
  for (let retries = 0; retries <= JUDGE_RETRIES; retries++) {
    const said = await ports.asker({ ...ask, attempt: first + retries });
    if (said.type !== 'answered') return { judged: failed(answer, `the judge ${whyNot(said)}`, retries), usd };
    usd = addUsd(usd, said.usd);
    const read = parseVerdict(said.text);
    if (read.type === 'graded') {
      const { verdict, grades, note } = read;
      return { judged: { answer, outcome: outcomeOf(probe, answer, verdict), grades, note, retries }, usd };
    }
    ({ reason } = read);
  }
  return { judged: failed(answer, `${UNREADABLE}: ${reason}`, JUDGE_RETRIES), usd };
}

function failed(answer: string, note: string, retries = 0): Judged {
  return { answer, outcome: 'error', grades: null, note, retries };
}

function whyNot(asked: Exclude<Asked, { readonly type: 'answered' }>): string {
  switch (asked.type) {
    case 'failed':
      return `failed (${asked.failure.kind}): ${asked.failure.message}`;
    case 'deferred':
      return 'was not asked yet';
    case 'over-budget':
      return `was ${OVER_BUDGET}`;
  }
}

/** Characters on each side of a fact that the judge sees. */
const QUOTE_CHARS = 160;
const MOST_QUOTES = 6;

/** Quotes the places where the session states the expected facts. It skips spans that do not hold the fact, which count characters of another text. */
function quotesOf({ expected }: Probe, messages: readonly Message[]): readonly string[] {
  return expected
    .flatMap(({ spans, value }) => spans.slice(0, 1).map((span) => ({ ...span, value })))
    .slice(0, MOST_QUOTES)
    .flatMap(({ message, start, end, value }) => {
      const said = messages[message];
      const text = said === undefined ? '' : examText([said]).slice(said.role.length + 2);
      const quote = text.slice(Math.max(0, start - QUOTE_CHARS), end + QUOTE_CHARS);
      return quote.includes(value) ? [quote] : [];
    });
}
