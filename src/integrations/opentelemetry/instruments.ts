import type { Counter, Histogram, Meter, MetricOptions, ObservableGauge } from '@opentelemetry/api';

/** Bucket boundaries of the GenAI conventions. */
const TOKEN_BOUNDARIES: number[] = Array.from({ length: 14 }, (_, power) => 4 ** power);
const SECOND_BOUNDARIES: number[] = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power);
/** From "almost nothing is left" to "nothing was freed". */
const RATIO_BOUNDARIES: number[] = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** Messages and turns: the first few matter most. */
const COUNT_BOUNDARIES: number[] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

export interface Instruments {
  readonly compactions: Counter;
  readonly refusals: Counter;
  readonly failures: Counter;
  readonly undos: Counter;
  readonly recalls: Counter;
  readonly turns: Counter;
  readonly promptTokens: Counter;
  readonly outputTokens: Counter;
  readonly facts: Counter;
  readonly auxiliaryCalls: Counter;
  readonly pressureReached: Counter;
  readonly modelSwitches: Counter;
  readonly storeErrors: Counter;
  readonly duration: Histogram;
  readonly reclaimed: Histogram;
  readonly ratio: Histogram;
  readonly invalidated: Histogram;
  readonly earliestChanged: Histogram;
  readonly turnsBetween: Histogram;
  readonly handoff: Histogram;
  readonly tokenUsage: Histogram;
  readonly callDuration: Histogram;
  readonly viewTokens: ObservableGauge;
  readonly viewPressure: ObservableGauge;
  readonly meanTurnsBetween: ObservableGauge;
  readonly compactionRate: ObservableGauge;
}

/** Creates all instruments. Their names are an interface that dashboards depend on; `docs/telemetry.md` lists them. */
export function createInstruments(meter: Meter): Instruments {
  const counter = (name: string, unit: string, description: string): Counter =>
    meter.createCounter(name, { unit, description });
  const gauge = (name: string, unit: string, description: string): ObservableGauge =>
    meter.createObservableGauge(name, { unit, description });
  const histogram = (name: string, { unit, boundaries }: Scale, description: string): Histogram => {
    const options: MetricOptions = { unit, description, advice: { explicitBucketBoundaries: boundaries } };
    return meter.createHistogram(name, options);
  };
  return {
    compactions: counter('precis.compactions', '{compaction}', 'Compactions that changed the view.'),
    refusals: counter('precis.compaction.refusals', '{refusal}', 'Compactions that were refused.'),
    failures: counter('precis.compaction.failures', '{failure}', 'Compactions that broke or were aborted.'),
    undos: counter('precis.compaction.undos', '{undo}', 'Compactions that were taken back.'),
    recalls: counter('precis.recalls', '{recall}', 'Questions for what is no longer in the view.'),
    turns: counter('precis.turns', '{turn}', 'Requests that were prepared.'),
    promptTokens: counter('precis.prompt.tokens', '{token}', 'Tokens of prompts, as providers counted them.'),
    outputTokens: counter('precis.output.tokens', '{token}', 'Tokens of answers, as providers counted them.'),
    facts: counter('precis.compaction.facts', '{fact}', 'Critical facts by where they are after a compaction.'),
    auxiliaryCalls: counter('precis.auxiliary.calls', '{call}', 'Calls to models for compaction, failed ones too.'),
    pressureReached: counter('precis.pressure.reached', '{event}', 'Levels of pressure reached on the way up.'),
    modelSwitches: counter('precis.model.switches', '{switch}', 'Switches to another model.'),
    storeErrors: counter('precis.store.errors', '{error}', 'Batches that the store did not take.'),
    duration: histogram('precis.compaction.duration', SECONDS, 'Time of a compaction, model calls included.'),
    reclaimed: histogram('precis.compaction.tokens.reclaimed', TOKENS, 'Tokens that a compaction freed.'),
    ratio: histogram('precis.compaction.ratio', RATIOS, 'Size after a compaction as a part of the size before.'),
    invalidated: histogram('precis.compaction.invalidated_tokens', TOKENS, 'Tokens of cached prompt that were lost.'),
    earliestChanged: histogram('precis.compaction.earliest_changed_index', MESSAGES, 'First message that changed.'),
    turnsBetween: histogram('precis.compaction.turns_between', TURNS, 'Turns since the compaction before.'),
    handoff: histogram('precis.handoff.tokens', TOKENS, 'Tokens of the handoff that a compaction wrote.'),
    tokenUsage: histogram('gen_ai.client.token.usage', TOKENS, 'Number of input and output tokens used.'),
    callDuration: histogram('gen_ai.client.operation.duration', SECONDS, 'GenAI operation duration.'),
    viewTokens: gauge('precis.view.tokens', '{token}', 'Size of the view when it was last told.'),
    viewPressure: gauge('precis.view.pressure', '1', 'That size as a part of the threshold.'),
    meanTurnsBetween: gauge('precis.context.turns_between', '{turn}', 'Mean turns between compactions.'),
    compactionRate: gauge('precis.context.compactions_per_100_turns', '{compaction}', 'Compactions in 100 turns.'),
  };
}

interface Scale {
  readonly unit: string;
  readonly boundaries: number[];
}

const TOKENS: Scale = { unit: '{token}', boundaries: TOKEN_BOUNDARIES };
const SECONDS: Scale = { unit: 's', boundaries: SECOND_BOUNDARIES };
const RATIOS: Scale = { unit: '1', boundaries: RATIO_BOUNDARIES };
const MESSAGES: Scale = { unit: '{message}', boundaries: COUNT_BOUNDARIES };
const TURNS: Scale = { unit: '{turn}', boundaries: COUNT_BOUNDARIES };
