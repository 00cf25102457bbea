import type { Attributes, BatchObservableResult, Counter, Meter } from '@opentelemetry/api';
import type { Context } from '../../context/context.ts';
import type { ContextMetrics } from '../../context/metrics.ts';
import type { ModelCall } from '../../core/model.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';
import { callAttributes, errorType, handoffTokens, modelAttributes, wordOf } from './attributes.ts';
import { createInstruments, type Instruments } from './instruments.ts';

/** Records metrics of a context until the returned function is called. */
export function measureContext(context: Context, meter: Meter, attributes: Attributes): () => void {
  const instruments = createInstruments(meter);
  const measuring: Measuring = {
    context,
    instruments,
    attributes,
    settle: growthCounter(context, instruments, attributes),
  };
  const stopGauges = observeGauges(measuring, meter);
  const stops = [...onCompactions(measuring), ...onOtherEvents(measuring)];
  return () => {
    for (const stop of stops) stop();
    stopGauges();
    measuring.settle();
  };
}

interface Measuring {
  readonly context: Context;
  readonly instruments: Instruments;
  readonly attributes: Attributes;
  /** Counts everything that grew without an event: turns, tokens of requests, undos, recalls. */
  readonly settle: () => ContextMetrics;
}

function growthCounter(context: Context, instruments: Instruments, attributes: Attributes): () => ContextMetrics {
  let told = context.metrics();
  return () => {
    const now = context.metrics();
    const before = told;
    told = now;
    for (const [counter, amount, of] of growth(instruments, { before, now }, attributes))
      if (amount > 0) counter.add(amount, of);
    return now;
  };
}

function observeGauges({ context, instruments, attributes, settle }: Measuring, meter: Meter): () => void {
  const { viewTokens, viewPressure, meanTurnsBetween, compactionRate } = instruments;
  // Counters and histograms of many contexts add up, so they do not name the context. Gauges would overwrite each other.
  const own = { ...attributes, 'gen_ai.conversation.id': context.id };
  const observe = (result: BatchObservableResult): void => {
    try {
      const { turnsBetween, compactionsPer100Turns, view } = settle();
      result.observe(viewTokens, view.tokens, own);
      result.observe(viewPressure, view.tokens / view.threshold, own);
      if (turnsBetween !== null) result.observe(meanTurnsBetween, turnsBetween.mean, own);
      if (compactionsPer100Turns !== null) result.observe(compactionRate, compactionsPer100Turns, own);
    } catch {
      // The host still collects its other metrics.
    }
  };
  const gauges = [viewTokens, viewPressure, meanTurnsBetween, compactionRate];
  meter.addBatchObservableCallback(observe, gauges);
  return () => meter.removeBatchObservableCallback(observe, gauges);
}

function onCompactions({ context, instruments, attributes, settle }: Measuring): readonly (() => void)[] {
  let lastTurn = context.compactions().at(-1)?.turn ?? 0;
  let started: number | null = null;
  const elapsed = (receipt: Receipt | null): number => {
    const seconds = started === null ? (receipt?.ms ?? 0) / 1000 : (performance.now() - started) / 1000;
    started = null;
    return seconds;
  };
  return [
    context.on('compaction:start', () => {
      started = performance.now();
    }),
    context.on('compaction:end', ({ receipt }) => {
      const { outcome } = receipt;
      const { turns } = settle();
      recordCompaction(instruments, receipt, attributes);
      instruments.duration.record(elapsed(receipt), { ...attributes, 'precis.compaction.outcome': outcome });
      instruments.turnsBetween.record(turns - lastTurn, attributes);
      lastTurn = turns;
    }),
    context.on('compaction:refused', ({ receipt }) => {
      const reason = wordOf(receipt?.refusal?.reason ?? '');
      instruments.refusals.add(1, { ...attributes, 'precis.refusal.reason': reason });
      instruments.duration.record(elapsed(receipt), { ...attributes, 'precis.compaction.outcome': 'refused' });
      recordCalls(instruments, receipt?.calls ?? [], attributes);
    }),
    context.on('compaction:failed', ({ error }) => {
      const failed = { ...attributes, 'error.type': errorType(error) };
      instruments.failures.add(1, failed);
      instruments.duration.record(elapsed(null), { ...failed, 'precis.compaction.outcome': 'failed' });
    }),
  ];
}

function onOtherEvents({ context, instruments, attributes, settle }: Measuring): readonly (() => void)[] {
  return [
    context.on('pressure', ({ level }) => {
      settle();
      instruments.pressureReached.add(1, { ...attributes, 'precis.pressure.level': level });
    }),
    context.on('model:switched', ({ to }) => {
      instruments.modelSwitches.add(1, { ...attributes, ...modelAttributes(to) });
    }),
    context.on('store:error', ({ error }) => {
      instruments.storeErrors.add(1, { ...attributes, 'error.type': errorType(error) });
    }),
  ];
}

function recordCompaction(instruments: Instruments, receipt: Receipt, attributes: Attributes): void {
  const { tokens, cache, facts, outcome } = receipt;
  const outcomes = { ...attributes, 'precis.compaction.outcome': outcome };
  instruments.compactions.add(1, outcomes);
  instruments.reclaimed.record(tokens.before - tokens.after, outcomes);
  instruments.ratio.record(tokens.after / Math.max(1, tokens.before), outcomes);
  instruments.invalidated.record(cache.invalidatedTokens, attributes);
  instruments.earliestChanged.record(cache.earliestChangedIndex, attributes);
  const handoff = handoffTokens(receipt);
  if (handoff !== null) instruments.handoff.record(handoff, attributes);
  // Zeros too: an alarm on lost facts needs a series before the first loss.
  for (const state of ['kept', 'recoverable', 'lost'] as const)
    instruments.facts.add(facts[state], { ...attributes, 'precis.fact.state': state });
  recordCalls(instruments, receipt.calls, attributes);
}

function recordCalls(instruments: Instruments, calls: readonly ModelCall[], attributes: Attributes): void {
  for (const call of calls) {
    const of = { ...attributes, ...callAttributes(call) };
    instruments.auxiliaryCalls.add(1, { ...of, 'precis.call.outcome': call.outcome });
    instruments.callDuration.record(call.ms / 1000, of);
    for (const [type, tokens] of [
      ['input', call.inputTokens],
      ['output', call.outputTokens],
    ] as const)
      if (tokens !== null) instruments.tokenUsage.record(tokens, { ...of, 'gen_ai.token.type': type });
  }
}

function growth(
  instruments: Instruments,
  { before, now }: { readonly before: ContextMetrics; readonly now: ContextMetrics },
  attributes: Attributes,
): readonly (readonly [Counter, number, Attributes])[] {
  const { promptTokens: from } = before;
  const { promptTokens: to } = now;
  const prompts = (cache: string): Attributes => ({ ...attributes, 'precis.cache': cache });
  return [
    [instruments.turns, now.turns - before.turns, attributes],
    [instruments.undos, now.undone - before.undone, attributes],
    [instruments.recalls, now.recalls - before.recalls, attributes],
    [instruments.promptTokens, to.cached - from.cached, prompts('read')],
    [instruments.promptTokens, to.written - from.written, prompts('write')],
    [instruments.promptTokens, to.uncached - from.uncached, prompts('none')],
    [instruments.outputTokens, to.output - from.output, attributes],
  ];
}
