import { type Message, resultTextOf, toolCallsOf, toolResultsOf } from '../conversation/message.ts';
import type { HistoryRecord } from '../handoff/record.ts';
import type { Weighed } from '../ledger/weigh.ts';
import { shortenArguments } from '../reduce/arguments.ts';
import type { Redundancy } from '../reduce/dedupe.ts';
import type { Limits } from '../tokens/window.ts';
import type { ZonedStep } from './zones.ts';

/** Everything a layout is chosen from. */
export interface Situation {
  readonly history: readonly Message[];
  readonly record: HistoryRecord;
  readonly weighed: Weighed;
  readonly redundant: ReadonlyMap<number, Redundancy>;
  readonly steps: readonly ZonedStep[];
  readonly limits: Limits;
  /** Step of each entry of the record; -1 for notes, which belong to no step. */
  readonly stepOfEntry: readonly number[];
  /** Tokens of each step once its output is one line: what condensing it leaves at least. Estimated. */
  readonly condensedTokens: readonly number[];
}

const NO_LINES: ReadonlySet<string> = new Set();
/** What one line in place of a result costs, with its ref. */
const ONE_LINER_TOKENS = 50;
const SHORT_RESULT_CHARS = 200;
const CHARS_PER_TOKEN = 3.6;

export function createSituation(input: Omit<Situation, 'stepOfEntry' | 'condensedTokens'>): Situation {
  return {
    ...input,
    stepOfEntry: stepsOfEntries(input.record, input.steps),
    condensedTokens: input.steps.map((step) => condensedSize(input.history, step)),
  };
}

function stepsOfEntries(record: HistoryRecord, steps: readonly ZonedStep[]): readonly number[] {
  const byNumber = new Map<number, number>();
  for (const [at, step] of steps.entries())
    for (let index = step.from; index < step.to; index++) byNumber.set(record.numbers[index] ?? 0, at);
  const handoff = steps.findIndex((step) => step.zone === 'handoff');
  return record.entries.map((entry) => (entry.type === 'noted' ? -1 : (byNumber.get(entry.number) ?? handoff)));
}

/** The step's tokens less what cutting its results and arguments would save. */
function condensedSize(history: readonly Message[], step: ZonedStep): number {
  let saved = 0;
  for (let index = step.from; index < step.to; index++) {
    const message = history[index] as Message;
    for (const result of toolResultsOf(message)) {
      const chars = resultTextOf(result).length;
      if (chars > SHORT_RESULT_CHARS) saved += Math.max(0, chars / CHARS_PER_TOKEN - ONE_LINER_TOKENS);
    }
    for (const call of toolCallsOf(message))
      saved += (call.arguments.length - shortenArguments(call.arguments, NO_LINES).length) / CHARS_PER_TOKEN;
  }
  return Math.max(Math.min(step.tokens, ONE_LINER_TOKENS), Math.ceil(step.tokens - saved));
}
