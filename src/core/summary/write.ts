import type { Fact } from '../facts/fact.ts';
import type { ModelCall, Summarizer } from '../model.ts';
import type { Entry } from '../record/entry.ts';
import type { HandoffSection } from '../record/handoff/sections.ts';
import type { SummaryLine } from './answer.ts';
import { type Asked, ask } from './ask.ts';
import { checkLines } from './checks/check-lines.ts';
import type { Source } from './checks/line-checks.ts';
import { factsToName, fitRequest } from './request-parts.ts';

export interface WriteInput {
  /** The folded entries that are not yet in `previous`. */
  readonly entries: readonly Entry[];
  /** Everything that was ever said: a line may speak of nothing else. */
  readonly grounds: readonly Entry[];
  /** The user's constraints, from anywhere in the history. */
  readonly constraints: readonly Fact[];
  /** Bullets of the handoff so far, under their headings. */
  readonly previous: string;
  /** Critical facts of the folded entries that no quote says. */
  readonly facts: readonly Fact[];
  readonly stale: Source['stale'];
  readonly focus: string | null;
  /** Length to aim at, in tokens, for the whole. */
  readonly tokens: number;
  /** Null when only an aligned model is to be asked. */
  readonly summarizer: Summarizer | null;
  /** The aligned model, asked first and in one request; null when there is none or it would cost more. */
  readonly aligned: { readonly summarizer: Summarizer; readonly viewTokens: number; readonly view: string } | null;
  /** Most requests for the summary, not counting one retry for each bad answer. */
  readonly maxCalls: number;
  readonly count: (text: string) => number;
  /** Headings to write under, in order. */
  readonly sections: readonly HandoffSection[];
  readonly signal?: AbortSignal;
  readonly onText?: (characters: number) => void;
}

/** The usable part of a model's writing, and how it came about. */
export interface Written {
  readonly lines: readonly SummaryLine[];
  readonly calls: readonly ModelCall[];
  readonly model: string | null;
  /** Failed answer checks, by name, with how often. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Lines that a check removed, by name of the check. */
  readonly removed: Readonly<Record<string, number>>;
  /** Entries that fitted into no request. */
  readonly omitted: number;
  /** The messages of failed calls, one sentence each. */
  readonly failures: readonly string[];
}

export const NOTHING_WRITTEN: Written = {
  lines: [],
  calls: [],
  model: null,
  rejected: {},
  removed: {},
  omitted: 0,
  failures: [],
};

/** Share of the window to try when the whole was too much. */
const SECOND_SHARE = 0.7;

/**
 * Asks for a summary of the folded entries, checks every answer and every line, and keeps what passes. The aligned model comes first. A summariser
 * that got too much for its window is asked once more, with less.
 */
export async function writeSummary(input: WriteInput): Promise<Written> {
  const { summarizer, aligned } = input;
  const own = aligned === null ? NOTHING_WRITTEN : written(input, [await askAligned(input, aligned)], 0);
  if (own.lines.length > 0 || summarizer === null) return own;
  const window = Math.min(...summarizer.models.map((model) => model.contextWindow));
  const first = await writeWithin(input, summarizer, window);
  if (first.written.lines.length > 0 || first.written.rejected['overflow'] === undefined)
    return { ...after(own, first.written), rejected: { ...own.rejected, ...first.written.rejected } };
  const less = Math.floor(Math.min(first.learnedWindow ?? window, window * SECOND_SHARE));
  const again = after(first.written, (await writeWithin(input, summarizer, less)).written);
  return { ...after(own, again), rejected: { ...own.rejected, ...again.rejected } };
}

/** The later writing, with the calls and failures of the earlier one before its own. */
function after(earlier: Written, later: Written): Written {
  const { calls, failures } = later;
  return { ...later, calls: [...earlier.calls, ...calls], failures: [...earlier.failures, ...failures] };
}

/** One request at the end of the conversation itself. */
function askAligned(input: WriteInput, aligned: NonNullable<WriteInput['aligned']>): Promise<Asked> {
  const { previous } = input;
  const facts = factsToName(input, Number.POSITIVE_INFINITY);
  return ask({
    ...input,
    facts,
    summarizer: aligned.summarizer,
    blocks: null,
    // The view holds the lines so far, which are counted separately.
    source: { text: aligned.view, tokens: Math.max(0, aligned.viewTokens - input.count(previous)) },
    fenced: [previous, ...facts.map(({ text }) => text)].join('\n'),
    part: { index: 0, of: 1 },
  });
}

interface WrittenWithin {
  readonly written: Written;
  /** The window a provider named when it refused a request as too long. */
  readonly learnedWindow: number | null;
}

/** Asks with the transcript, in as few requests as the window allows. */
async function writeWithin(input: WriteInput, summarizer: Summarizer, window: number): Promise<WrittenWithin> {
  const request = fitRequest(input, summarizer, window);
  if (request === null)
    return { written: { ...NOTHING_WRITTEN, rejected: { 'window-too-small': 1 } }, learnedWindow: null };
  if (request.parts.length === 0) return { written: NOTHING_WRITTEN, learnedWindow: null };
  const { parts, lengths, facts, previous, omitted } = request;
  const fenced = [...parts.flatMap(({ blocks }) => blocks), previous, ...facts.map(({ text }) => text)].join('\n');
  const answers = await Promise.all(
    parts.map(({ blocks, tokens }, index) =>
      ask({
        ...input,
        summarizer,
        blocks,
        source: { text: blocks.join('\n'), tokens },
        previous: index === 0 ? previous : '',
        facts,
        fenced,
        tokens: lengths[index] ?? 0,
        part: { index, of: parts.length },
      }),
    ),
  );
  const learned = answers.flatMap((answer) => answer.learnedWindow ?? []);
  return {
    written: written(input, answers, omitted),
    learnedWindow: learned.length === 0 ? null : Math.min(...learned),
  };
}

/** The lines that pass their checks, with the calls and failures of all answers. */
function written(input: WriteInput, answers: readonly Asked[], omitted: number): Written {
  const { lines, removed } = checkLines(
    answers.flatMap((answer) => answer.lines),
    { entries: input.grounds, previous: input.previous, constraints: input.constraints, stale: input.stale },
  );
  return {
    lines,
    calls: answers.flatMap((answer) => answer.calls),
    model: answers.find((answer) => answer.lines.length > 0)?.model ?? answers[0]?.model ?? null,
    rejected: tally(answers.flatMap((answer) => answer.rejected)),
    removed,
    omitted,
    failures: [...new Set(answers.flatMap((answer) => answer.failure ?? []))],
  };
}

function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
