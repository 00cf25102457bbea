import { resultsIn } from '../conversation/hosted.ts';
import { type Message, type Part, resultTextOf, textOf, toolCallsOf, toolResultsOf } from '../conversation/message.ts';
import type { HistoryRecord } from '../facts/history-record.ts';
import type { Entry } from '../record/entry.ts';
import { shortenArguments } from '../reduce/arguments.ts';
import { SHORT_RESULT_CHARS } from '../reduce/condense.ts';
import type { Redundancy } from '../reduce/dedupe.ts';
import { retellStep } from '../reduce/retell.ts';
import { imageTokens } from '../tokens/image.ts';
import type { Limits } from '../tokens/window.ts';
import type { Ledger } from '../worth/judge-facts.ts';
import type { Weighed } from '../worth/weigh.ts';
import type { Reach } from './reach.ts';
import type { ZonedStep } from './zones.ts';

/** Everything a layout is chosen from. */
export interface Situation {
  readonly history: readonly Message[];
  readonly record: HistoryRecord;
  /** The facts of the record, judged. */
  readonly ledger: Ledger;
  readonly weighed: Weighed;
  /** The same without emphasis and without summary lines. */
  readonly unstressed: Weighed;
  readonly redundant: ReadonlyMap<number, Redundancy>;
  readonly steps: readonly ZonedStep[];
  readonly limits: Limits;
  readonly reach: Reach;
  /** Step of each entry of the record; -1 for notes and summary lines, which belong to no step. */
  readonly stepOfEntry: readonly number[];
  /** Entries of the calls of a message, by its index in the history. */
  readonly callEntries: ReadonlyMap<number, readonly number[]>;
  /** The same for its words. */
  readonly wordEntries: ReadonlyMap<number, readonly number[]>;
  /** Estimated tokens of each step once its output is one line: the least that condensing leaves. */
  readonly condensedTokens: readonly number[];
  /** Estimated tokens of each step once its output or its words are trimmed. */
  readonly trimmedTokens: readonly number[];
  /** Characters that each result of the newest step may keep. */
  readonly trimChars: number;
}

const NO_LINES: ReadonlySet<string> = new Set();
/** A stand-in as long as a real ref: only the size matters here. */
const ANY_REF = '⟦r:0000000000000⟧';
/** Cost of the line in place of a result, including its ref. */
const ONE_LINER_TOKENS = 50;
const MEDIA_LINE_TOKENS = 12;
const CHARS_PER_TOKEN = 3.6;

/** Share of the target for the results of a newest step that is trimmed, and the characters that each keeps at least. */
const NEWEST_SHARE = 1 / 6;
const MOST_NEWEST_TOKENS = 10_000;
/** Share of the target above which the newest step gets less than its usual size. */
const MOST_NEWEST_SHARE = 0.4;
const USUAL_TRIM_CHARS = 800;
const LEAST_TRIM_CHARS = 160;

export function createSituation(
  input: Omit<
    Situation,
    'stepOfEntry' | 'callEntries' | 'wordEntries' | 'condensedTokens' | 'trimmedTokens' | 'trimChars'
  >,
): Situation {
  const { history, steps } = input;
  const newest =
    steps.find(({ zone }) => zone === 'newest') ?? steps.findLast(({ from }) => history[from]?.role !== 'system');
  const trimChars = trimCharsOf(input, newest);
  return {
    ...input,
    trimChars,
    stepOfEntry: stepsOfEntries(input.record, steps),
    callEntries: entriesByMessage(input.record, (entry) => entry.type === 'did' && entry.action !== null),
    wordEntries: entriesByMessage(input.record, (entry) => entry.type === 'said' && !entry.carried),
    condensedTokens: steps.map((step) =>
      reducedSize(history, step, { chars: SHORT_RESULT_CHARS, tokens: ONE_LINER_TOKENS }),
    ),
    trimmedTokens: steps.map((step) => trimmedSize(history, step, { trimChars, isNewest: step === newest })),
  };
}

/** Where the usual size of the results would fill the view, each of them gets an even share of it. At its least, it has one size. */
function trimCharsOf(
  { history, limits, reach }: Pick<Situation, 'history' | 'limits' | 'reach'>,
  newest: ZonedStep | undefined,
): number {
  if (newest === undefined || reach === 'least') return LEAST_TRIM_CHARS;
  const results = Math.max(1, history.slice(newest.from, newest.to).flatMap(resultsIn).length);
  const trimTokens = Math.max(limits.tailTokens, Math.min(MOST_NEWEST_TOKENS, limits.foldTarget * NEWEST_SHARE));
  const usual = Math.max(USUAL_TRIM_CHARS, Math.floor((trimTokens * CHARS_PER_TOKEN) / results));
  const most = limits.foldTarget * MOST_NEWEST_SHARE;
  if (resultsTrimmed(history, newest, usual) <= most) return usual;
  const even = Math.floor(most / tokensPerChar(history, newest) / results);
  return Math.min(usual, Math.max(LEAST_TRIM_CHARS, even));
}

function resultsTrimmed(history: readonly Message[], step: ZonedStep, chars: number): number {
  return reducedSize(history, step, { chars, tokens: chars * tokensPerChar(history, step) + ONE_LINER_TOKENS });
}

function trimmedSize(
  history: readonly Message[],
  step: ZonedStep,
  { trimChars, isNewest }: { readonly trimChars: number; readonly isNewest: boolean },
): number {
  if (step.zone === 'retold') {
    const told = { step: history.slice(step.from, step.to), asked: step.request, chars: trimChars };
    return Math.ceil(textOf(retellStep(told)).length / CHARS_PER_TOKEN);
  }
  if (step.words !== null && step.to - step.from === 1) return step.words.tokens;
  const reduced = isNewest || step.words !== null ? resultsTrimmed(history, step, trimChars) : step.tokens;
  return step.words === null ? reduced : Math.max(step.words.tokens, reduced - step.words.saved);
}

function stepsOfEntries(record: HistoryRecord, steps: readonly ZonedStep[]): readonly number[] {
  const byNumber = new Map<number, number>();
  for (const [at, step] of steps.entries())
    for (let index = step.from; index < step.to; index++) byNumber.set(record.numbers[index] ?? 0, at);
  const handoff = steps.findIndex((step) => step.zone === 'handoff');
  return record.entries.map((entry) => {
    if (entry.type === 'noted' || entry.type === 'summed') return -1;
    const isCarried = entry.type === 'said' ? entry.carried : entry.action === null;
    return isCarried ? handoff : (byNumber.get(entry.number) ?? handoff);
  });
}

function entriesByMessage(
  record: HistoryRecord,
  holds: (entry: Entry) => boolean,
): ReadonlyMap<number, readonly number[]> {
  const indexOf = new Map(record.numbers.map((number, index) => [number, index]));
  const found = new Map<number, number[]>();
  for (const [at, entry] of record.entries.entries()) {
    const index = indexOf.get(entry.number);
    if (index === undefined || !holds(entry)) continue;
    const entries = found.get(index) ?? [];
    entries.push(at);
    found.set(index, entries);
  }
  return found;
}

/** The step's tokens once its arguments are shortened, and its results of more than `chars` cut down to `tokens`. */
function reducedSize(
  history: readonly Message[],
  step: ZonedStep,
  { chars, tokens }: { readonly chars: number; readonly tokens: number },
): number {
  let saved = 0;
  const density = tokensPerChar(history, step);
  for (let index = step.from; index < step.to; index++) {
    const message = history[index] as Message;
    for (const result of toolResultsOf(message)) {
      const length = resultTextOf(result).length;
      if (length > chars) saved += Math.max(0, length * density - tokens);
      for (const item of result.content) saved += mediaSaving(item);
    }
    for (const part of message.parts) {
      saved += mediaSaving(part);
      if (part.type === 'opaque' && part.hosted !== undefined)
        saved += part.json.length * density - (part.hosted.output === null ? 0 : tokens);
    }
    for (const call of toolCallsOf(message))
      saved += (call.arguments.length - shortenArguments(call.arguments, NO_LINES, ANY_REF).length) * density;
  }
  return Math.max(Math.min(step.tokens, ONE_LINER_TOKENS), Math.ceil(step.tokens - saved));
}

function mediaSaving(part: Part): number {
  return part.type === 'image' ? imageTokens(part.width, part.height, part.detail) - MEDIA_LINE_TOKENS : 0;
}

/** How dense this step's own text is: digits and Chinese cost several times what prose does. */
function tokensPerChar(history: readonly Message[], step: ZonedStep): number {
  let chars = 0;
  for (let index = step.from; index < step.to; index++) {
    const message = history[index] as Message;
    for (const result of toolResultsOf(message)) chars += resultTextOf(result).length;
    for (const part of message.parts) if (part.type === 'opaque') chars += part.json.length;
    for (const call of toolCallsOf(message)) chars += call.arguments.length;
    chars += textOf(message).length;
  }
  return chars === 0 ? 1 / CHARS_PER_TOKEN : step.tokens / chars;
}
