import type { Conversation } from '../../core/conversation/conversation.ts';
import { type Message, toolCallsOf, toolResultsOf } from '../../core/conversation/message.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import type { RecordedUsage, Trace, TraceRequest } from './trace.ts';

/** A recorded session. `openSessionFile` of `precis/sessions` returns the conversation and, as `source.records`, the records. */
export interface TraceSource {
  /** Name of the session in results, e.g. its path. */
  readonly name: string;
  /** The messages as they were recorded. */
  readonly conversation: Conversation;
  /** One record for each message. @default none: the log has neither times nor usage */
  readonly records?: readonly TraceRecord[];
}

/** Recorded time and usage of one message. */
export interface TraceRecord {
  /** Time of the message, ISO 8601. */
  readonly timestamp?: string;
  /** Usage of the request that the message answers. */
  readonly usage?: RecordedUsage;
}

/** Options of `traceOf`. */
export interface TraceOptions {
  /** Counts the tokens of a text. */
  readonly count: (text: string) => number;
  /** Milliseconds between two requests where the log has no times. @default 30,000 */
  readonly pace?: number;
}

/** Half a minute: about the median of coding agents, and far below every cache lifetime. */
export const USUAL_PACE_MS = 30_000;

/** Makes a trace. Every assistant message answers one request, which sent all messages before it. */
export function traceOf({ name, conversation, records = [] }: TraceSource, options: TraceOptions): Trace {
  const { messages } = conversation;
  const measure = createMeasure({ id: 'replay', count: options.count });
  const counted = messages.map((message) => measure.message(message));
  const answers = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  const usages = answers.map((answer) => usageAt(records, answer));
  const sums = prefixSums(counted);
  const growth = growthOf(answers.map((answer, index) => [sums[answer] ?? 0, usages[index]?.inputTokens ?? 0]));
  const factor = factorOf(growth);
  const tokens = counted.map((each) => Math.ceil(each * factor));
  // Where the growth of a step was recorded, its messages have exactly that size.
  for (const [index, step] of growth.entries())
    if (step !== null)
      for (let at = answers[index - 1] ?? 0; at < (answers[index] ?? 0); at++)
        tokens[at] = Math.max(1, Math.round(((counted[at] ?? 0) * step.recorded) / step.counted));
  const legal = legalCuts(messages);
  const times = timesOf(records, answers, options.pace ?? USUAL_PACE_MS);
  const requests = answers.map(
    (answer, index): TraceRequest => ({
      at: times.at[index] ?? 0,
      from: answers[index - 1] ?? 0,
      to: answer,
      outputTokens: usages[index]?.outputTokens ?? tokens[answer] ?? 0,
      isLegalCut: legal[answer] ?? true,
      recorded: usages[index] ?? null,
    }),
  );
  return {
    name,
    conversation,
    tokens,
    fixedTokens: fixedTokensOf(requests, tokens) ?? envelopeTokens(conversation.envelope, options.count),
    requests,
    hasTimes: times.isRecorded,
    factor,
  };
}

function usageAt(records: readonly TraceRecord[], index: number): RecordedUsage | null {
  const usage = records[index]?.usage;
  return usage === undefined || usage.inputTokens <= 0 ? null : usage;
}

/** Returns the sum of all values before each index. */
function prefixSums(values: readonly number[]): readonly number[] {
  const sums = [0];
  for (const value of values) sums.push((sums.at(-1) ?? 0) + value);
  return sums;
}

/** A step whose growth differs by a larger factor is a compaction, a lost message or another thread, and is ignored. */
const MOST_DOUBT = 4;
const LEAST_STEPS = 3;

interface Growth {
  readonly counted: number;
  readonly recorded: number;
}

/** Returns the growth of each request since the one before; null where it is unknown. Each pair holds the counted and the recorded size of a request. */
function growthOf(sizes: readonly (readonly [number, number])[]): readonly (Growth | null)[] {
  return sizes.map(([size, said], index) => {
    const before = sizes[index - 1];
    if (before === undefined || before[1] === 0 || said === 0) return null;
    const counted = size - before[0];
    const recorded = said - before[1];
    const isLikely = counted > 0 && recorded <= counted * MOST_DOUBT && counted <= recorded * MOST_DOUBT;
    return isLikely ? { counted, recorded } : null;
  });
}

/** Returns the provider's tokens per counted token, over all known steps. */
function factorOf(growth: readonly (Growth | null)[]): number {
  const steps = growth.filter((step) => step !== null);
  const counted = steps.reduce((sum, step) => sum + step.counted, 0);
  const recorded = steps.reduce((sum, step) => sum + step.recorded, 0);
  return steps.length < LEAST_STEPS ? 1 : Math.round((recorded / counted) * 1000) / 1000;
}

/** Returns the tokens of the first request with recorded usage that its messages do not explain; null when nothing was recorded. */
function fixedTokensOf(requests: readonly TraceRequest[], tokens: readonly number[]): number | null {
  const first = requests.find(({ recorded }) => recorded !== null);
  if (first?.recorded == null) return null;
  let said = 0;
  for (let index = 0; index < first.to; index++) said += tokens[index] ?? 0;
  return Math.max(0, first.recorded.inputTokens - said);
}

/** Counts the tokens of the tools, which are outside the messages. The system prompt is one of the messages. */
function envelopeTokens(envelope: unknown, count: (text: string) => number): number {
  const tools = typeof envelope === 'object' && envelope !== null && 'tools' in envelope ? envelope.tools : undefined;
  return Array.isArray(tools) && tools.length > 0 ? count(JSON.stringify(tools)) : 0;
}

/** Says for each index whether all calls before it are answered, so that a policy may cut before a request there. */
function legalCuts(messages: readonly Message[]): readonly boolean[] {
  let open = new Set<string>();
  return messages.map((message) => {
    const isLegal = open.size === 0;
    const results = toolResultsOf(message);
    if (results.length === 0 && message.role !== 'tool') open = new Set();
    for (const { callId } of results) open.delete(callId);
    for (const { callId } of toolCallsOf(message)) open.add(callId);
    return isLegal;
  });
}

/** Assigns a time to each request: that of the message before it, because an answer is logged only when it has arrived. */
function timesOf(
  records: readonly TraceRecord[],
  answers: readonly number[],
  pace: number,
): { readonly at: readonly number[]; readonly isRecorded: boolean } {
  const stamps = answers.map((answer) => stampOf(records[answer - 1]) ?? stampOf(records[answer]));
  const start = stamps.find((stamp) => stamp !== null) ?? 0;
  const at: number[] = [];
  for (const stamp of stamps) {
    const before = at.at(-1);
    const assumed = before === undefined ? 0 : before + pace;
    at.push(stamp === null ? assumed : Math.max(before ?? 0, stamp - start));
  }
  return { at, isRecorded: stamps.length > 0 && stamps.every((stamp) => stamp !== null) };
}

function stampOf(record: TraceRecord | undefined): number | null {
  const stamp = record?.timestamp === undefined ? Number.NaN : Date.parse(record.timestamp);
  return Number.isNaN(stamp) ? null : stamp;
}
