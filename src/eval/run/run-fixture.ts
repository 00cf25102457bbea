import type { Message } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Model } from '../../core/model.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import { examRequest } from '../exam/exam.ts';
import { examText } from '../exam/exam-text.ts';
import { JUDGE_RETRIES, judgeRequest, outcomeOf, parseVerdict } from '../exam/judge.ts';
import { isFound } from '../survival/match/found.ts';
import { type Haystack, haystackOf } from '../survival/match/haystack.ts';
import { matchFact } from '../survival/match/match.ts';
import { type SurvivalOptions, survivalOf } from '../survival/survival.ts';
import { viewText } from '../survival/view-text.ts';
import type { Cell, Fixture, Judged, Probe, ProbeBank, RunResult, StateResult } from '../types.ts';
import { type CandidateSettings, makeStates, type PlainMessages, type State, type UserArm } from './arms/arms.ts';
import type { EvalSession } from './arms/passes.ts';
import { type Asked, type Asker, isWhole, OVER_BUDGET } from './calls/asker.ts';
import { cellKey, type Earlier, UNREADABLE } from './events.ts';
import { createRecaller, type Recalled } from './said.ts';

export interface RunInput {
  readonly label: string;
  /** Counted from 1. */
  readonly run: number;
  readonly fixture: Fixture;
  readonly bank: ProbeBank;
  readonly session: EvalSession;
  readonly arms: readonly string[];
  readonly userArms: readonly UserArm[];
  readonly passes: number;
  readonly target: number;
  readonly candidate: CandidateSettings;
  /** Who answers and who grades; null when no model is asked. */
  readonly exam: { readonly answerer: Model; readonly judge: Model } | null;
  readonly rubricDigest: string;
  readonly precis: string;
}

export interface RunPorts {
  readonly counter: TokenCounter;
  readonly asker: Asker;
  readonly plain: PlainMessages;
  readonly digest: (text: string) => string;
  /** Milliseconds since some fixed moment. */
  readonly now: () => number;
  /** The time of day in ISO form. */
  readonly date: () => string;
  /** What an interrupted evaluation has done already. */
  readonly earlier: Earlier;
  readonly onState?: (state: StateResult) => Promise<void> | void;
  /** `usd` is what answer and grades cost; null for cells that an earlier process told of, and when a price is unknown. */
  readonly onCell?: (
    key: string,
    cell: Cell,
    told: { readonly isNew: boolean; readonly usd: number | null },
  ) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

/** One run over one fixture: every arm's states, every probe asked of each. */
export async function runFixture(input: RunInput, ports: RunPorts): Promise<RunResult> {
  const started = ports.now();
  const startedAt = ports.date();
  const { fixture, run, bank } = input;
  const window = input.exam?.answerer.contextWindow ?? null;
  const states = await makeStates({ ...input, fixture: fixture.name, answererWindow: window }, ports);
  const asking = createAsking(input, ports);
  const graded = await Promise.all(
    states.map(async (state) => {
      const answered = await asking(state);
      await ports.onState?.(answered.state);
      return answered;
    }),
  );
  if (ports.signal?.aborted === true) throw new PrecisError('aborted', 'The evaluation was interrupted');
  const results = graded.map(({ state }) => state);
  return {
    version: 1,
    label: input.label,
    fixture: fixture.name,
    run,
    states: results,
    cells: graded.flatMap(({ cells }) => cells),
    provenance: {
      precis: input.precis,
      fixtureDigest: fixture.digest,
      bankDigest: bank.digest,
      rubricDigest: input.rubricDigest,
      compressorModel: input.candidate.compressor?.id ?? null,
      answerModel: input.exam?.answerer.id ?? null,
      judgeModel: input.exam?.judge.id ?? null,
      target: input.target,
      passes: new Set(states.map(({ result }) => result.pass).filter((pass) => pass > 0)).size || 1,
      startedAt,
      ms: Math.round(ports.now() - started),
      usd: usdOf(results, asking.usd()),
    },
  };

  function usdOf(made: readonly StateResult[], exam: number | null): number | null {
    let sum = exam;
    // The candidate with recall is the candidate's own compaction, and what a user's compactor costs is the user's business.
    const paid = made.filter(({ arm, usd }) => arm === 'candidate' || (usd !== null && arm !== 'candidate+recall'));
    for (const { usd } of paid) sum = sum === null || usd === null ? null : sum + usd;
    return sum;
  }
}

interface Answered {
  readonly state: StateResult;
  readonly cells: readonly Cell[];
}

interface Asking {
  (state: State): Promise<Answered>;
  usd(): number | null;
}

/** What one search with the question brings back counts as recoverable. */
function foundBy(recalled: Recalled | null): Pick<SurvivalOptions, 'recoverable'> {
  if (recalled === null) return {};
  const hay = haystackOf(recalled.text);
  return { recoverable: (fact) => isFound(matchFact(fact, hay)) };
}

function createAsking(input: RunInput, ports: RunPorts): Asking {
  const { bank, session, fixture, run } = input;
  const all = session.conversation.messages;
  const passes = Math.max(1, input.passes);
  let usd: number | null = 0;
  const pay = (amount: number | null): void => {
    usd = usd === null || amount === null ? null : usd + amount;
  };
  const texts = new Map<number, Haystack>();
  const textUpTo = (said: number): Haystack => {
    const text = texts.get(said) ?? haystackOf(viewText(all.slice(0, said)));
    texts.set(said, text);
    return text;
  };
  const recallers = new Map<number, ReturnType<typeof createRecaller>>();
  const recall = async (said: number, question: string): Promise<Recalled> => {
    const recaller = recallers.get(said) ?? createRecaller(all.slice(0, said), ports.counter);
    recallers.set(said, recaller);
    return (await recaller)(question);
  };

  const timely = new Map<string, boolean>();
  /** A probe is asked when its time has come, and not before the session has said what it asks for. */
  const isAsked = async (probe: Probe, { result, said }: State): Promise<boolean> => {
    if (result.pass === 0) return true;
    if (probe.pass !== null) return Math.min(probe.pass, passes) === result.pass;
    if (said === all.length || probe.expected.length === 0) return true;
    const key = `${said} ${probe.id}`;
    const known = timely.get(key);
    if (known !== undefined) return known;
    const now = (await survivalOf(probe, textUpTo(said))).visible ?? 0;
    const isTimely = now > 0 && now >= ((await survivalOf(probe, textUpTo(all.length))).visible ?? 0);
    timely.set(key, isTimely);
    return isTimely;
  };

  const answer = async (state: State): Promise<Answered> => {
    if (state.result.invalid !== null) return { state: state.result, cells: [] };
    const { arm, pass } = state.result;
    const view = examText(state.messages);
    let recalledTokens = 0;
    const hay = haystackOf(viewText(state.messages));
    const asked: Probe[] = [];
    for (const probe of bank.probes) if (await isAsked(probe, state)) asked.push(probe);
    const cells = await Promise.all(
      asked.map(async (probe): Promise<Cell> => {
        const recalled = state.recalls ? await recall(state.said, probe.question) : null;
        recalledTokens += recalled?.tokens ?? 0;
        const key = cellKey({ fixture: fixture.name, run, arm, pass, probe: probe.id });
        const done = ports.earlier.cells.get(key);
        const found = await survivalOf(probe, hay, { source: textUpTo(all.length), ...foundBy(recalled) });
        const graded =
          done?.cell.judged == null
            ? await judgedAnswer(probe, view, recalled, key)
            : { judged: done.cell.judged, usd: done.usd };
        pay(graded.usd);
        const cell: Cell = {
          fixture: fixture.name,
          arm,
          pass,
          probe: probe.id,
          type: probe.type,
          facts: found.facts,
          survival: found.survival,
          visible: found.visible,
          judged: graded.judged,
        };
        if (ports.signal?.aborted !== true)
          await ports.onCell?.(key, cell, { isNew: done === undefined, usd: graded.usd });
        return cell;
      }),
    );
    // What a search brings is read too: it counts.
    const tokens = state.result.tokens + (asked.length === 0 ? 0 : Math.round(recalledTokens / asked.length));
    return { state: { ...state.result, tokens }, cells };
  };

  const judgedAnswer = async (probe: Probe, view: string, recalled: Recalled | null, key: string): Promise<Graded> => {
    if (input.exam === null) return { judged: null, usd: 0 };
    const { answerer, judge } = input.exam;
    const { digest, asker } = ports;
    let cost: number | null = 0;
    const failed = (answer: string, note: string, retries = 0): Graded => ({
      judged: { answer, outcome: 'error', grades: null, note, retries },
      usd: cost,
    });
    const request = examRequest({
      view,
      ...(recalled === null ? {} : { recalled: recalled.text }),
      question: probe.question,
      digest,
    });
    const answered = await asker({ role: 'answer', model: answerer, request, replicate: run, attempt: 0 });
    if (answered.type !== 'answered') return failed('', `the answerer ${whyNot(answered)}`);
    cost = answered.usd;
    if (!isWhole(answered.finish)) return failed(answered.text, `the answer broke off (${answered.finish})`);
    const grading = judgeRequest({ probe, answer: answered.text, quotes: quotesOf(probe, all), digest });
    const first = (ports.earlier.unreadable.get(key) ?? 0) * (JUDGE_RETRIES + 1);
    let reason = '';
    for (let retries = 0; retries <= JUDGE_RETRIES; retries++) {
      const verdict = await asker({
        role: 'judge',
        model: judge,
        request: grading,
        replicate: run,
        attempt: first + retries,
        besides: input.rubricDigest,
      });
      if (verdict.type !== 'answered') return failed(answered.text, `the judge ${whyNot(verdict)}`, retries);
      cost = cost === null || verdict.usd === null ? null : cost + verdict.usd;
      const parsed = parseVerdict(verdict.text);
      if (parsed.type === 'graded') {
        const outcome = outcomeOf(probe, answered.text, parsed.verdict);
        const { grades, note } = parsed;
        return { judged: { answer: answered.text, outcome, grades, note, retries }, usd: cost };
      }
      ({ reason } = parsed);
    }
    return failed(answered.text, `${UNREADABLE}: ${reason}`, JUDGE_RETRIES);
  };

  return Object.assign(answer, { usd: () => usd });
}

interface Graded {
  readonly judged: Judged | null;
  readonly usd: number | null;
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

/** Characters beside a fact that a judge gets to see. */
const QUOTE_CHARS = 160;
const MOST_QUOTES = 6;

/** Where the session says what is expected. A place that does not hold the fact is passed over: it was counted otherwise. */
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
