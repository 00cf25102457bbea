import { contentHash } from '../conversation/hash.ts';
import type { Fact } from '../facts/fact.ts';
import { singleSpaced } from '../language/spaces.ts';
import type { FailureKind, ModelCall, ModelRequest, Summarizer, SummarizerAnswer } from '../model.ts';
import type { Entry } from '../record/entry.ts';
import type { HandoffSection } from '../record/handoff-sections.ts';
import { headingsOf, readAnswer, type SummaryLine } from './answer.ts';
import { ANSWER_CHECKS } from './answer-checks.ts';
import { bare, LINE_CHECKS, namesIn, type Source } from './line-checks.ts';
import { splitIntoParts } from './parts.ts';
import { type Fence, instructionsFor, promptFor, retryPrompt } from './prompt.ts';

export interface WriteInput {
  /** What is folded and not yet in `previous`. */
  readonly entries: readonly Entry[];
  /** All that was ever said: what a line may speak of. */
  readonly grounds: readonly Entry[];
  /** What the user demanded or forbade, anywhere. */
  readonly constraints: readonly Fact[];
  /** Bullets of the handoff so far, under their headings. */
  readonly previous: string;
  /** Critical facts of the zone. */
  readonly facts: readonly Fact[];
  readonly stale: Source['stale'];
  readonly focus: string | null;
  /** Length to aim at, in tokens, for the whole. */
  readonly tokens: number;
  /** Null when only an aligned model is to be asked. */
  readonly summarizer: Summarizer | null;
  /** Asked first, in one request, when it reads the conversation itself; null when there is none or it would be dearer. */
  readonly aligned: { readonly summarizer: Summarizer; readonly viewTokens: number; readonly view: string } | null;
  /** Most requests for the zone; retries of a bad answer come on top, one for each. */
  readonly maxCalls: number;
  readonly count: (text: string) => number;
  /** Headings to write under, in order. */
  readonly sections: readonly HandoffSection[];
  readonly signal?: AbortSignal;
  readonly onText?: (characters: number) => void;
}

type AskedInput = WriteInput & { readonly summarizer: Summarizer };

/** What a model wrote, as far as it could be used. */
export interface Written {
  readonly lines: readonly SummaryLine[];
  readonly calls: readonly ModelCall[];
  readonly model: string | null;
  /** Failed answer checks, by name, with how often. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Lines that a check removed, by name of the check. */
  readonly removed: Readonly<Record<string, number>>;
  readonly omitted: number;
  /** What failed calls had to say, one sentence each. */
  readonly failures: readonly string[];
}

/** Share of a window that a request may fill: counts of other tokenizers differ. */
const WINDOW_SHARE = 0.8;
/** What providers set aside for an answer when a model does not say how much it writes, and the most they are asked for. */
const ANSWER_TOKENS = 8_000;
const MOST_ANSWER_TOKENS = 32_000;
/** Facts that must be named take at most this share of a request. */
const FACTS_SHARE = 0.15;
const PREVIOUS_SHARE = 0.25;
/** Part of the window that is tried when the whole was too much. */
const SECOND_SHARE = 0.7;
const SMALLEST_PART_TOKENS = 500;

/** Asks for a summary of the zone, part by part, checks every answer and every line of it, and keeps what is sound. */
export async function writeSummary(input: WriteInput): Promise<Written> {
  const { summarizer, aligned } = input;
  const written = aligned === null ? nothing({}) : await writeAligned(input, aligned);
  if (written.lines.length > 0 || summarizer === null) return written;
  const apart = await writeApart({ ...input, summarizer });
  return {
    ...apart,
    calls: [...written.calls, ...apart.calls],
    rejected: { ...written.rejected, ...apart.rejected },
    failures: [...written.failures, ...apart.failures],
  };
}

/** One request at the end of the conversation itself. */
async function writeAligned(input: WriteInput, aligned: NonNullable<WriteInput['aligned']>): Promise<Written> {
  const { facts, previous } = input;
  const answer = await askOnce({
    input: { ...input, summarizer: aligned.summarizer },
    instructions: instructionsFor(headingsOf(input.sections).map(({ title }) => title)),
    fence: fenceFor([previous, ...facts.map(({ text }) => text)].join('\n')),
    blocks: null,
    // The view holds the lines so far, which are counted apart.
    source: { text: aligned.view, tokens: Math.max(0, aligned.viewTokens - input.count(previous)) },
    previous,
    facts,
    part: { index: 0, of: 1 },
  });
  return writtenFrom(input, [answer], 0);
}

/** Requests of their own, which hold the transcript. */
async function writeApart(input: AskedInput): Promise<Written> {
  const window = Math.min(...input.summarizer.models.map((model) => model.contextWindow));
  const { written, learnedWindow } = await writeWithin(input, window);
  // Too long for the provider, who counts otherwise or has a smaller window than was known: once more, with less.
  if (written.lines.length > 0 || written.rejected['overflow'] === undefined) return written;
  const again = await writeWithin(input, Math.floor(Math.min(learnedWindow ?? window, window * SECOND_SHARE)));
  const { calls, failures } = again.written;
  return { ...again.written, calls: [...written.calls, ...calls], failures: [...written.failures, ...failures] };
}

async function writeWithin(
  input: AskedInput,
  window: number,
): Promise<{ readonly written: Written; readonly learnedWindow: number | null }> {
  const instructions = instructionsFor(headingsOf(input.sections).map(({ title }) => title));
  const room =
    Math.floor((window - answerTokens(input.summarizer, window)) * WINDOW_SHARE) - input.count(instructions) - 200;
  const facts = withinTokens(byWeight(input.facts), room * FACTS_SHARE, input.count);
  const previous = headOf(input.previous, room * PREVIOUS_SHARE, input.count);
  const tokens =
    room - input.count(previous) - input.count(facts.map(({ text }) => text).join('\n')) - facts.length * 4;
  if (tokens < SMALLEST_PART_TOKENS) return { written: nothing({ 'window-too-small': 1 }), learnedWindow: null };
  const { parts, omitted } = splitIntoParts(input.entries, { tokens, calls: input.maxCalls, count: input.count });
  if (parts.length === 0) return { written: nothing({}), learnedWindow: null };
  const fence = fenceFor(
    [...parts.flatMap(({ blocks }) => blocks), previous, ...facts.map(({ text }) => text)].join('\n'),
  );
  const answers = await Promise.all(
    parts.map(({ blocks, tokens: read }, index) =>
      askOnce({
        input,
        instructions,
        fence,
        blocks,
        source: { text: blocks.join('\n'), tokens: read },
        previous: index === 0 ? previous : '',
        facts,
        part: { index, of: parts.length },
      }),
    ),
  );
  const learned = answers.flatMap((answer) => answer.learnedWindow ?? []);
  return {
    written: writtenFrom(input, answers, omitted),
    learnedWindow: learned.length === 0 ? null : Math.min(...learned),
  };
}

/** What is left of the answers when every line has been checked. */
function writtenFrom(input: WriteInput, answers: readonly Answer[], omitted: number): Written {
  const source = sourceOf(input);
  const removed = new Map<string, number>();
  const lines = unique(answers.flatMap((answer) => soundLines(answer.lines, source, removed)));
  return {
    lines,
    calls: answers.flatMap((answer) => answer.calls),
    model: answers.find((answer) => answer.lines.length > 0)?.model ?? answers[0]?.model ?? null,
    rejected: tally(answers.flatMap((answer) => answer.rejected)),
    removed: Object.fromEntries(removed),
    omitted,
    failures: [...new Set(answers.flatMap((answer) => answer.failure ?? []))],
  };
}

/** Tokens to keep free: the window holds the answer too, and providers count what it may be, not what it is. */
function answerTokens({ models }: Summarizer, window: number): number {
  const most = Math.max(...models.map((model) => model.maxOutput ?? ANSWER_TOKENS));
  return Math.min(most, MOST_ANSWER_TOKENS, window / 4);
}

/** Marks that occur nowhere in what they fence. */
function fenceFor(text: string): Fence {
  let id = contentHash(text);
  while (text.includes(id)) id = contentHash(`${id} ${text.length}`);
  return { open: `<<<data ${id}`, close: `data ${id}>>>` };
}

interface Ask {
  readonly input: AskedInput;
  readonly instructions: string;
  readonly fence: Fence;
  readonly blocks: readonly string[] | null;
  /** What the answer is a summary of. */
  readonly source: { readonly text: string; readonly tokens: number };
  readonly previous: string;
  readonly facts: readonly Fact[];
  readonly part: { readonly index: number; readonly of: number };
}

interface Answer {
  readonly lines: readonly SummaryLine[];
  readonly calls: readonly ModelCall[];
  readonly model: string | null;
  readonly rejected: readonly string[];
  /** The window a provider named when it refused the request as too long. */
  readonly learnedWindow: number | null;
  readonly failure: string | null;
}

/** One request, and one more that names what was wrong when the answer cannot be used. A failure is not asked again here. */
async function askOnce({ input, instructions, fence, blocks, source, previous, facts, part }: Ask): Promise<Answer> {
  const isHere = (number: number): boolean =>
    part.of === 1 || blocks === null || blocks.some((block) => block.startsWith(`#${number} `));
  const own = facts.filter((fact) => isHere(fact.source.message));
  const tokens = Math.max(400, Math.floor(input.tokens / part.of));
  const first = promptFor({ blocks, previous, facts: own, focus: input.focus, tokens, part }, fence);
  const calls: ModelCall[] = [];
  const rejected: string[] = [];
  let prompt = first;
  let model: string | null = null;
  let learnedWindow: number | null = null;
  let failure: string | null = null;
  for (let attempt = 0; attempt < 2; attempt++) {
    const {
      outcome,
      attempts,
      model: id,
    } = await answerOf(input.summarizer, {
      instructions,
      prompt,
      ...(input.signal === undefined ? {} : { signal: input.signal }),
      ...(input.onText === undefined ? {} : { onText: input.onText }),
    });
    calls.push(...attempts);
    model = id;
    if (outcome.type === 'failed') {
      rejected.push(outcome.failure.kind);
      learnedWindow = outcome.failure.learnedWindow;
      failure = outcome.failure.message;
      break;
    }
    const { text: answer, finish } = outcome;
    const answerTokens = answer.length > 4_000_000 ? Number.POSITIVE_INFINITY : input.count(answer);
    const sizes = { answerTokens, sourceTokens: source.tokens, previousTokens: input.count(previous) };
    const issues = ANSWER_CHECKS.flatMap(({ name, run }) => {
      const issue = run({ answer, finish, transcript: source.text, ...sizes });
      return issue === null ? [] : [{ name, issue }];
    });
    if (issues.length === 0)
      return { lines: readAnswer(answer, input.sections), calls, model, rejected, learnedWindow, failure };
    rejected.push(...issues.map(({ name }) => name));
    prompt = retryPrompt(
      first,
      issues.map(({ issue }) => issue),
    );
  }
  return { lines: [], calls, model, rejected, learnedWindow, failure };
}

/** The answer, whatever the summariser does: one that throws has failed, and one that never ends is left behind when the work is aborted. */
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
    .then(() => summarizer.generate(request))
    .catch(() => failed('unknown', 'The summariser threw an error.'));
  return Promise.race(signal === undefined ? [answered] : [answered, aborted]);
}

function soundLines(
  lines: readonly SummaryLine[],
  source: Source,
  removed: Map<string, number>,
): readonly SummaryLine[] {
  return lines.filter((line) => {
    const failed = LINE_CHECKS.find((check) => check.fails(line, source));
    if (failed !== undefined) removed.set(failed.name, (removed.get(failed.name) ?? 0) + 1);
    return failed === undefined;
  });
}

function sourceOf({ grounds, previous, constraints, stale }: WriteInput): Source {
  const text = singleSpaced(
    [
      ...grounds.map((entry) => `${entry.heading} ${entry.passages.map((passage) => passage.text).join(' ')}`),
      previous,
    ].join('\n'),
  );
  return {
    text,
    lower: text.toLowerCase(),
    bare: bare(text),
    names: new Set(namesIn(text)),
    constraints,
    stale,
  };
}

/** As many as fit, first come first served. */
function withinTokens<T extends { readonly text: string }>(
  items: readonly T[],
  tokens: number,
  count: (text: string) => number,
): readonly T[] {
  let left = tokens;
  return items.filter(({ text }) => {
    left -= count(text) + 8;
    return left >= 0;
  });
}

function byWeight(facts: readonly Fact[]): readonly Fact[] {
  return facts.toSorted((one, other) => other.weight - one.weight);
}

function headOf(text: string, tokens: number, count: (text: string) => number): string {
  const size = count(text);
  if (size <= tokens) return text;
  const cut = text.slice(0, Math.floor((text.length * tokens) / size));
  return cut.slice(0, cut.lastIndexOf('\n') + 1);
}

function unique(lines: readonly SummaryLine[]): readonly SummaryLine[] {
  const seen = new Set<string>();
  return lines.filter(({ text }) => {
    // Lines that differ in nothing but the number of a message or a round are one line said often.
    const key = namesIn(text).length > 0 ? text : text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function nothing(rejected: Readonly<Record<string, number>>): Written {
  return { lines: [], calls: [], model: null, rejected, removed: {}, omitted: 0, failures: [] };
}
