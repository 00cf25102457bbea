import type { Fact } from '../facts/fact.ts';
import type { FailureKind, ModelCall, ModelRequest, Summarizer, SummarizerAnswer } from '../model.ts';
import type { HandoffSection } from '../record/handoff/sections.ts';
import { headingsOf, readAnswer, type SummaryLine } from './answer.ts';
import { ANSWER_CHECKS, type AnswerInput } from './checks/answer-checks.ts';
import { fenceFor, instructionsFor, promptFor, retryPrompt } from './prompt.ts';
import { soundAnswer } from './sound-answer.ts';

/** One request for a summary. */
export interface Ask {
  readonly summarizer: Summarizer;
  /** Headings to write under, in order. */
  readonly sections: readonly HandoffSection[];
  /** Blocks of the transcript; null when the request follows the conversation itself. */
  readonly blocks: readonly string[] | null;
  /** The text that the answer is a summary of. */
  readonly source: { readonly text: string; readonly tokens: number };
  /** Bullets of the handoff so far. */
  readonly previous: string;
  /** Facts that the answer must name, because no quote does, if this part states them. */
  readonly facts: readonly Fact[];
  /** All text inside the fence, in which its marks must not occur. */
  readonly fenced: string;
  readonly part: { readonly index: number; readonly of: number };
  readonly focus: string | null;
  /** Length to aim at, in tokens. */
  readonly tokens: number;
  readonly count: (text: string) => number;
  readonly signal?: AbortSignal;
  readonly onText?: (characters: number) => void;
}

/** The result of one request. */
export interface Asked {
  readonly lines: readonly SummaryLine[];
  readonly calls: readonly ModelCall[];
  readonly model: string | null;
  /** Names of the checks that refused an answer, and kinds of failures. */
  readonly rejected: readonly string[];
  /** The window a provider named when it refused the request as too long. */
  readonly learnedWindow: number | null;
  readonly failure: string | null;
}

/** A longer answer is not counted: it is too long whatever it says. */
const COUNTED_CHARS = 4_000_000;

/** Asks once. If the answer cannot be used, asks once more and says what was wrong. A failed call is not repeated here. */
export async function ask(input: Ask): Promise<Asked> {
  const { summarizer, sections, signal, onText } = input;
  const instructions = instructionsFor(headingsOf(sections).map(({ title }) => title));
  const first = firstPrompt(input);
  const calls: ModelCall[] = [];
  const rejected: string[] = [];
  let prompt = first;
  let model: string | null = null;
  for (let attempt = 0; attempt < 2; attempt++) {
    const request = {
      instructions,
      prompt,
      ...(signal === undefined ? {} : { signal }),
      ...(onText === undefined ? {} : { onText }),
    };
    const { outcome, attempts, model: id } = await answerOf(summarizer, request);
    calls.push(...attempts);
    model = id;
    if (outcome.type === 'failed') {
      const { kind, learnedWindow, message } = outcome.failure;
      return { lines: [], calls, model, rejected: [...rejected, kind], learnedWindow, failure: message };
    }
    const issues = issuesOf(input, outcome);
    if (issues.length === 0) {
      const lines = readAnswer(outcome.text, sections);
      return { lines, calls, model, rejected, learnedWindow: null, failure: null };
    }
    rejected.push(...issues.map(({ name }) => name));
    const texts = issues.map(({ issue }) => issue);
    prompt = retryPrompt(first, texts);
  }
  return { lines: [], calls, model, rejected, learnedWindow: null, failure: null };
}

function firstPrompt({ blocks, previous, facts, focus, tokens, part, fenced }: Ask): string {
  const isHere = (number: number): boolean =>
    part.of === 1 || blocks === null || blocks.some((block) => block.startsWith(`#${number} `));
  const own = facts.filter((fact) => isHere(fact.source.message));
  return promptFor({ blocks, previous, facts: own, focus, tokens, part }, fenceFor(fenced));
}

function issuesOf(
  { source, previous, count }: Ask,
  { text: answer, finish }: { readonly text: string; readonly finish: AnswerInput['finish'] },
): readonly { readonly name: string; readonly issue: string }[] {
  const answerTokens = answer.length > COUNTED_CHARS ? Number.POSITIVE_INFINITY : count(answer);
  const sizes = { answerTokens, sourceTokens: source.tokens, previousTokens: count(previous) };
  return ANSWER_CHECKS.flatMap(({ name, run }) => {
    const issue = run({ answer, finish, transcript: source.text, ...sizes });
    return issue === null ? [] : [{ name, issue }];
  });
}

/** Gets an answer whatever the summariser does: one that throws or returns nonsense has failed, and one that never ends is left behind on abort. */
async function answerOf(summarizer: Summarizer, request: ModelRequest): Promise<SummarizerAnswer> {
  const model = summarizer.models[0]?.id ?? 'unknown';
  const failed = (kind: FailureKind, message: string): SummarizerAnswer => ({
    outcome: { type: 'failed', failure: { kind, message, retryAfterMs: null, learnedWindow: null } },
    model,
    attempts: [{ model, outcome: kind, inputTokens: null, outputTokens: null, ms: 0 }],
  });
  const { signal } = request;
  const aborted = new Promise<SummarizerAnswer>((resolve) => {
    signal?.addEventListener('abort', () => resolve(failed('aborted', 'The work was aborted.')), { once: true });
  });
  const answered = Promise.resolve()
    .then(async () => soundAnswer(await summarizer.generate(request), model))
    .catch(() => failed('unknown', 'The summariser threw an error.'));
  return Promise.race(signal === undefined ? [answered] : [answered, aborted]);
}
