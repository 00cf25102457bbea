import { readFileSync } from 'node:fs';
import { context as active, createNoopMeter, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SYSTEM, turn, turns } from '../../test/agent-wire.ts';
import type { Context } from '../context/context.ts';
import { openContext } from '../context/open.ts';
import { memoryStore } from '../context/store/memory-store.ts';
import type { Store } from '../context/store/store.ts';
import { compact } from '../core/compact.ts';
import { PrecisError } from '../core/errors.ts';
import { type Model, singleSummarizer } from '../core/model.ts';
import { openaiChat } from '../formats/index.ts';
import { behave, scriptedModel } from '../testing/index.ts';
import { observeContext } from './opentelemetry.ts';

const WINDOW = 8_000;
const LARGE = { id: 'anthropic/large', contextWindow: 200_000, maxOutput: 4_000 };
const SMALL = { id: 'openai/small', contextWindow: 10_000, maxOutput: 1_000 };

beforeAll(() => {
  active.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterEach(() => {
  trace.disable();
  metrics.disable();
});
afterAll(() => active.disable());

type Plain = Readonly<Record<string, unknown>>;

interface Point {
  /** Of a histogram its count and sum. */
  readonly value: number | Plain;
  readonly attributes: Plain;
}

/** The real SDK, with exporters that keep what they get. */
function sdk(temporality = AggregationTemporality.CUMULATIVE) {
  const metricExporter = new InMemoryMetricExporter(temporality);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const spanExporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] });
  const all = async (): Promise<readonly MetricData[]> => {
    metricExporter.reset();
    await reader.forceFlush();
    return metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  };
  return {
    meterProvider,
    tracerProvider,
    options: { meter: meterProvider.getMeter('test'), tracer: tracerProvider.getTracer('test') },
    all,
    points: async (name: string): Promise<readonly Point[]> => pointsIn(await all())(name),
    spans: (name?: string): readonly ReadableSpan[] =>
      spanExporter.getFinishedSpans().filter((span) => name === undefined || span.name === name),
    shutdown: async () => {
      await meterProvider.shutdown();
      await tracerProvider.shutdown();
    },
  };
}

const opened = (): Promise<Context> => openContext({ id: 'agent', window: WINDOW });

/** Turns until a number of compactions were made, with what a provider counts. */
async function converse(context: Context, compactions: number): Promise<void> {
  if (context.metrics().turns === 0) await context.append(SYSTEM);
  for (let n = context.metrics().turns + 1; context.compactions().length < compactions; n++) {
    await context.append(turn(n));
    const { tokens } = await context.prepare();
    const details = { cached_tokens: 600 };
    await context.observe({ prompt_tokens: tokens, prompt_tokens_details: details, completion_tokens: 10 });
  }
}

describe('metrics of a context', () => {
  it('are those of its receipts', async () => {
    const otel = sdk();
    await using context = await opened();
    const stop = observeContext(context, { ...otel.options, attributes: { 'gen_ai.agent.name': 'reader' } });
    await converse(context, 3);
    const receipts = context.compactions().map(({ receipt }) => receipt);
    const outcomes = Object.entries(Object.groupBy(receipts, ({ outcome }) => outcome));
    expect(await otel.points('precis.compactions')).toEqual(
      outcomes.map(([outcome, made]) => ({
        value: made?.length,
        attributes: { 'gen_ai.agent.name': 'reader', 'precis.compaction.outcome': outcome },
      })),
    );
    const total = async (name: string): Promise<number> =>
      (await otel.points(name)).reduce((sum, { value }) => sum + Number((value as Plain)['sum']), 0);
    const count = async (name: string): Promise<number> =>
      (await otel.points(name)).reduce((sum, { value }) => sum + Number((value as Plain)['count']), 0);
    const { tokensSaved, invalidatedTokens, handoffTokens, ratios, earliestChangedIndex, ...rest } = context.metrics();
    expect(await total('precis.compaction.tokens.reclaimed')).toBe(tokensSaved);
    expect(await total('precis.compaction.invalidated_tokens')).toBe(invalidatedTokens);
    expect(await total('precis.handoff.tokens')).toBe(handoffTokens.reduce((sum, each) => sum + each, 0));
    expect(await total('precis.compaction.ratio')).toBeCloseTo(ratios.reduce((sum, each) => sum + each, 0));
    expect(await total('precis.compaction.earliest_changed_index')).toBeCloseTo((earliestChangedIndex?.mean ?? 0) * 3);
    expect(await total('precis.compaction.turns_between')).toBeCloseTo((rest.turnsBetween?.mean ?? 0) * 3);
    expect(await count('precis.compaction.duration')).toBe(3);
    expect(await total('precis.compaction.duration')).toBeGreaterThan(0);
    const facts = await otel.points('precis.compaction.facts');
    expect(facts.map(({ attributes }) => attributes['precis.fact.state'])).toEqual(['kept', 'recoverable', 'lost']);
    expect(facts[0]?.value).toBe(receipts.reduce((sum, receipt) => sum + receipt.facts.kept, 0));
    stop();
    await otel.shutdown();
  });

  it('count what has no event of its own: turns, tokens, undos and recalls', async () => {
    const otel = sdk();
    await using context = await opened();
    await converse(context, 1);
    await context.recall('run 1');
    const before = context.metrics();
    const stop = observeContext(context, otel.options);
    expect(await otel.points('precis.turns')).toEqual([]);
    await converse(context, 2);
    await context.undo();
    await context.recall('run 1');
    await context.recall('run 2');
    const now = context.metrics();
    expect(await otel.points('precis.turns')).toEqual([{ value: now.turns - before.turns, attributes: {} }]);
    expect(await otel.points('precis.compaction.undos')).toEqual([{ value: 1, attributes: {} }]);
    expect(await otel.points('precis.prompt.tokens')).toEqual([
      { value: now.promptTokens.cached - before.promptTokens.cached, attributes: { 'precis.cache': 'read' } },
      { value: now.promptTokens.uncached - before.promptTokens.uncached, attributes: { 'precis.cache': 'none' } },
    ]);
    expect(await otel.points('precis.output.tokens')).toEqual([
      { value: now.promptTokens.output - before.promptTokens.output, attributes: {} },
    ]);
    // What came after the last collection is not lost.
    await context.recall('run 3');
    stop();
    expect(await otel.points('precis.recalls')).toEqual([{ value: 3, attributes: {} }]);
    await otel.shutdown();
  });

  it('show the present of each context beside the others, and their counts together', async () => {
    // With the other temporality the SDK repeats the last value of a gauge for ever.
    const otel = sdk(AggregationTemporality.DELTA);
    await using one = await openContext({ id: 'one', window: WINDOW });
    await using two = await openContext({ id: 'two', window: WINDOW });
    const stops = [one, two].map((context) => observeContext(context, otel.options));
    await converse(one, 1);
    await converse(two, 2);
    const by = (id: string): Plain => ({ 'gen_ai.conversation.id': id });
    const points = pointsIn(await otel.all());
    expect(points('precis.context.compactions_per_100_turns')).toEqual([
      { value: one.metrics().compactionsPer100Turns, attributes: by('one') },
      { value: two.metrics().compactionsPer100Turns, attributes: by('two') },
    ]);
    expect(points('precis.context.turns_between')).toEqual([
      { value: one.metrics().turnsBetween?.mean, attributes: by('one') },
      { value: two.metrics().turnsBetween?.mean, attributes: by('two') },
    ]);
    const [size] = points('precis.view.tokens');
    expect(size).toEqual({ value: one.metrics().view.tokens, attributes: by('one') });
    const [pressure] = points('precis.view.pressure');
    expect(pressure?.value).toBeCloseTo(Number(size?.value) / 6_000);
    expect(points('precis.turns')).toEqual([{ value: one.metrics().turns + two.metrics().turns, attributes: {} }]);
    const levels = points('precis.pressure.reached').map(({ attributes }) => attributes['precis.pressure.level']);
    expect(levels).toContain(0.75);
    await one.undo();
    const [undone] = await otel.points('precis.view.tokens');
    expect(undone?.value).toBeGreaterThan(Number(size?.value));
    for (const stop of stops) stop();
    expect(await otel.points('precis.view.tokens')).toEqual([]);
    await otel.shutdown();
  });

  it('tell refusals, failures, switches and errors of the store by their codes', async () => {
    const otel = sdk();
    const store = memoryStore();
    let isFull = false;
    const failing: Store = {
      ...store,
      open: async (id, access) => {
        const stored = await store.open(id, access);
        const full = new PrecisError('store', 'disk full of the secret plan');
        return { ...stored, commit: (batch) => (isFull ? Promise.reject(full) : stored.commit(batch)) };
      },
    };
    const models = [LARGE, SMALL];
    await using context = await openContext({ id: 'a', store: failing, models, policy: { fit: 'active' } });
    const stop = observeContext(context, otel.options);
    await context.append([SYSTEM, ...turns(1, 8)]);
    await context.compact({ target: 10 });
    await context.compact({ signal: AbortSignal.abort() }).catch(() => {});
    await context.useModel('openai/small');
    isFull = true;
    await context.append(turn(9));
    isFull = false;
    const expected: readonly (readonly [string, Plain])[] = [
      ['precis.compaction.refusals', { 'precis.refusal.reason': 'target-too-small' }],
      ['precis.compaction.failures', { 'error.type': 'aborted' }],
      ['precis.model.switches', { 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'small' }],
      ['precis.store.errors', { 'error.type': 'store' }],
    ];
    for (const [name, attributes] of expected) expect(await otel.points(name)).toEqual([{ value: 1, attributes }]);
    const durations = (await otel.points('precis.compaction.duration')).map(({ attributes }) => attributes);
    expect(durations).toEqual([
      { 'precis.compaction.outcome': 'refused' },
      { 'precis.compaction.outcome': 'failed', 'error.type': 'aborted' },
    ]);
    stop();
    await otel.shutdown();
  });
});

describe('calls to models', () => {
  it('carry the names of the GenAI conventions, in metrics and as children of the compaction', async () => {
    const otel = sdk();
    const model = scriptedModel(behave.slow({ firstByteMs: 20 }), { id: 'google/gemini-flash' });
    const summarizer = singleSummarizer(model, () => performance.now());
    await using context = await openContext({ id: 'agent', window: 40_000, summarizer });
    observeContext(context, otel.options);
    await context.append([SYSTEM, ...turns(1, 10)]);
    await context.compact({ target: 1_500 });
    const call = context.compactions()[0]?.receipt.calls[0];
    const named = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'gemini-flash',
    };
    expect(await otel.points('precis.auxiliary.calls')).toEqual([
      { value: 1, attributes: { ...named, 'precis.call.outcome': 'stop' } },
    ]);
    expect(await otel.points('gen_ai.client.token.usage')).toEqual([
      { value: { count: 1, sum: call?.inputTokens }, attributes: { ...named, 'gen_ai.token.type': 'input' } },
      { value: { count: 1, sum: call?.outputTokens }, attributes: { ...named, 'gen_ai.token.type': 'output' } },
    ]);
    expect(await otel.points('gen_ai.client.operation.duration')).toEqual([
      { value: { count: 1, sum: (call?.ms ?? 0) / 1000 }, attributes: named },
    ]);
    const [compaction] = otel.spans('compact');
    const [chat] = otel.spans('chat gemini-flash');
    expect(chat?.parentSpanContext?.spanId).toBe(compaction?.spanContext().spanId);
    expect(chat?.attributes).toEqual({
      ...named,
      'gen_ai.conversation.id': 'agent',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': call?.inputTokens,
      'gen_ai.usage.output_tokens': call?.outputTokens,
    });
    expect(millis(chat)).toBeCloseTo(call?.ms ?? 0, 0);
    expect(millis(chat)).toBeLessThanOrEqual(millis(compaction) + 1);
    expect(compaction?.attributes['precis.compaction.calls']).toBe(1);
    await otel.shutdown();
  });

  it('that failed say how', async () => {
    const otel = sdk();
    const summarizer = singleSummarizer(scriptedModel(behave.status(529), { id: 'plain' }));
    await using context = await openContext({ id: 'agent', window: 40_000, summarizer });
    observeContext(context, otel.options);
    await context.append([SYSTEM, ...turns(1, 10)]);
    await context.compact({ target: 1_500 });
    const [point] = await otel.points('precis.auxiliary.calls');
    expect(point?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'plain',
      'error.type': 'overloaded',
      'precis.call.outcome': 'overloaded',
    });
    expect(await otel.points('gen_ai.client.token.usage')).toEqual([]);
    expect(otel.spans('chat plain')[0]).toMatchObject({ status: { code: 2 }, kind: 2 });
    expect(otel.spans('compact')[0]?.attributes['precis.compaction.outcome']).toBe('fell-back');
    await otel.shutdown();
  });
});

describe('spans of a context', () => {
  it('hold the receipt and belong to what was active when the compaction began', async () => {
    const otel = sdk();
    await using context = await opened();
    observeContext(context, otel.options);
    await context.append([SYSTEM, ...turns(1, 20)]);
    const request = otel.options.tracer.startSpan('request');
    await active.with(trace.setSpan(active.active(), request), () => context.prepare());
    request.end();
    const [span] = otel.spans('compact');
    const receipt = context.compactions()[0]?.receipt;
    expect(span?.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(span?.spanContext().traceId).toBe(request.spanContext().traceId);
    expect(span?.attributes).toMatchObject({
      'gen_ai.operation.name': 'compact',
      'gen_ai.conversation.id': 'agent',
      'precis.compaction.id': 'c1',
      'precis.compaction.outcome': receipt?.outcome,
      'precis.compaction.calls': 0,
      'precis.tokens.before': receipt?.tokens.before,
      'precis.tokens.after': receipt?.tokens.after,
      'precis.tokens.target': receipt?.tokens.target,
      'precis.facts.kept': receipt?.facts.kept,
      'precis.facts.lost': 0,
    });
    expect(span?.status.code).toBe(0);
    await otel.shutdown();
  });

  it('say why nothing was done, and what broke', async () => {
    const otel = sdk();
    await using context = await opened();
    observeContext(context, otel.options);
    await context.append([SYSTEM, ...turns(1, 3)]);
    await context.compact({ target: 10 });
    await context.compact({ target: 900, signal: AbortSignal.abort() }).catch(() => {});
    const [refused, failed] = otel.spans('compact');
    expect(refused?.attributes).toMatchObject({
      'precis.compaction.outcome': 'refused',
      'precis.refusal.reason': 'target-too-small',
      'precis.refusal.smallest_target': expect.any(Number),
    });
    expect(failed?.attributes).toEqual({
      'gen_ai.operation.name': 'compact',
      'gen_ai.conversation.id': 'agent',
      'precis.compaction.outcome': 'failed',
      'precis.tokens.before': expect.any(Number),
      'precis.tokens.target': 900,
      'error.type': 'aborted',
    });
    expect(failed?.status).toEqual({ code: 2 });
    await otel.shutdown();
  });

  it('are there for a compaction that the host made itself', async () => {
    const otel = sdk();
    await using context = await opened();
    observeContext(context, otel.options);
    await context.append([SYSTEM, ...turns(1, 10)]);
    await context.accept(await compact(context.conversation(), openaiChat, { target: 1_500 }));
    expect(otel.spans('compact').map(({ attributes }) => attributes['precis.compaction.id'])).toEqual(['c1']);
    await otel.shutdown();
  });

  it('of the host get pressure and switches as events', async () => {
    const otel = sdk();
    await using context = await openContext({ id: 'agent', models: [LARGE, SMALL], policy: { fit: 'active' } });
    observeContext(context, otel.options);
    await context.append([SYSTEM, ...turns(1, 10)]);
    const span = otel.options.tracer.startSpan('agent');
    await active.with(trace.setSpan(active.active(), span), async () => {
      await context.useModel('openai/small');
      await context.prepare();
    });
    span.end();
    const events = otel.spans('agent')[0]?.events ?? [];
    expect(events.map(({ name }) => name)).toEqual(['precis.model.switched', 'precis.pressure']);
    expect(events[0]?.attributes).toEqual({
      'gen_ai.conversation.id': 'agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'small',
      'precis.model.from': 'anthropic/large',
      'precis.tokens.window': 9_000,
    });
    await otel.shutdown();
  });
});

describe('observing', () => {
  it('uses the providers of the host', async () => {
    const otel = sdk();
    metrics.setGlobalMeterProvider(otel.meterProvider);
    trace.setGlobalTracerProvider(otel.tracerProvider);
    await using context = await opened();
    observeContext(context);
    await context.append([SYSTEM, ...turns(1, 10)]);
    await context.compact({ target: 1_500 });
    expect(await otel.points('precis.compactions')).toHaveLength(1);
    expect(otel.spans('compact')[0]?.instrumentationScope.name).toBe('precis');
    await otel.shutdown();
  });

  it('asks the context for nothing when the host has set up nothing', async () => {
    await using context = await opened();
    const asked = vi.spyOn(context, 'metrics');
    const stop = observeContext(context);
    await context.append([SYSTEM, ...turns(1, 10)]);
    await context.compact({ target: 1_500 });
    stop();
    expect(asked).not.toHaveBeenCalled();
    expect(metrics.getMeter('any')).toBe(createNoopMeter());
  });

  it('stops when told to, and may be told twice', async () => {
    const otel = sdk();
    await using context = await opened();
    const stop = observeContext(context, otel.options);
    await converse(context, 1);
    stop();
    stop();
    const before = await otel.all();
    const values = (all: readonly MetricData[]): string => JSON.stringify(all.map(valuesOf));
    await converse(context, 3);
    await context.undo();
    expect(values(await otel.all())).toBe(values(before));
    expect(otel.spans()).toHaveLength(1);
    await otel.shutdown();
  });

  it('does no harm when meters and tracers throw', async () => {
    const broken = (): never => {
      throw new Error('broken exporter');
    };
    const meters: readonly Meter[] = [
      new Proxy({} as Meter, { get: () => broken }),
      new Proxy({} as Meter, { get: () => () => ({ add: broken, record: broken }) }),
    ];
    const tracer: Tracer = { startSpan: broken, startActiveSpan: broken };
    for (const meter of meters) {
      await using context = await opened();
      const stop = observeContext(context, { meter, tracer });
      await converse(context, 2);
      expect(context.compactions()).toHaveLength(2);
      stop();
    }
  });

  it('leaves the other metrics of the host alone when the context cannot answer', async () => {
    const otel = sdk();
    await using context = await opened();
    observeContext(context, otel.options);
    otel.options.meter.createCounter('other').add(1);
    vi.spyOn(context, 'metrics').mockImplementation(() => {
      throw new Error('closed');
    });
    expect(await otel.points('other')).toEqual([{ value: 1, attributes: {} }]);
    await otel.shutdown();
  });
});

describe('what is exported', () => {
  /** Everything that can happen, once, with the words of the conversation in every error. */
  async function everything(): Promise<ReturnType<typeof sdk>> {
    const otel = sdk();
    const store = memoryStore();
    let isFull = false;
    const failing: Store = {
      ...store,
      open: async (id, access) => {
        const stored = await store.open(id, access);
        const told = Object.assign(new Error('line 3 of run 2: value 2003'), { name: 'could not write Question 1' });
        return { ...stored, commit: (batch) => (isFull ? Promise.reject(told) : stored.commit(batch)) };
      },
    };
    const talking = scriptedModel(behave.slow({}), { id: 'openai/talking' });
    let isBroken = false;
    const model: Model = {
      ...talking,
      generate: (request) => (isBroken ? Promise.reject(new Error(request.prompt)) : talking.generate(request)),
    };
    const models = [LARGE, SMALL];
    const summarizer = singleSummarizer(model);
    const options = { id: 'agent', store: failing, models, policy: { fit: 'active' } as const, summarizer };
    await using context = await openContext(options);
    observeContext(context, otel.options);
    await otel.options.tracer.startActiveSpan('agent', async (span) => {
      await converse(context, 0);
      await context.append([SYSTEM, ...turns(1, 20)]);
      await context.useModel('openai/small');
      await converse(context, 2);
      await context.observe({ input_tokens: 50, cache_creation_input_tokens: 2_000, cache_read_input_tokens: 900 });
      await context.compact({ target: 10 });
      await context.compact({ target: 1_500, signal: AbortSignal.abort() }).catch(() => {});
      await context.undo();
      await context.recall('What is the value of run 3?');
      isBroken = true;
      await context.compact({ target: 1_500 });
      isBroken = false;
      await context.compact({ target: 1_500 });
      isFull = true;
      await context.append(turn(90));
      isFull = false;
      span.end();
    });
    return otel;
  }

  it('is on the page, name by name', async () => {
    const page = readFileSync(new URL('../../docs/telemetry.md', import.meta.url), 'utf8');
    const otel = await everything();
    const all = await otel.all();
    expect(all).toHaveLength(26);
    const keys = [
      ...all.flatMap(({ descriptor, dataPoints }) => [
        descriptor.name,
        ...dataPoints.flatMap(({ attributes }) => Object.keys(attributes)),
      ]),
      ...otel
        .spans()
        .flatMap(({ attributes, events }) => [
          ...Object.keys(attributes),
          ...events.flatMap((event) => [event.name, ...Object.keys(event.attributes ?? {})]),
        ]),
    ];
    expect([...new Set(keys)].filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
    const fields = readFileSync(new URL('../context/metrics.ts', import.meta.url), 'utf8')
      .split('export function')[0]
      ?.matchAll(/readonly (\w+):/g);
    expect([...(fields ?? [])].map((match) => match[1]).filter((field) => !page.includes(`${field}\``))).toEqual([]);
    await otel.shutdown();
  });

  it('holds numbers, ids and words of fixed lists, never what was said', async () => {
    const otel = await everything();
    const exported = [
      ...(await otel.all()).flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes)),
      ...otel
        .spans()
        .flatMap(({ attributes, events }) => [attributes, ...events.map((event) => event.attributes ?? {})]),
    ].flatMap((attributes) => Object.values(attributes).flat());
    expect(exported.length).toBeGreaterThan(100);
    const texts = [...new Set(exported.filter((value) => typeof value === 'string'))];
    // One word each: not even a sentence of ours.
    for (const text of texts) expect(text).toMatch(/^[\w./-]+$/);
    const said = /question|value|line \d|delete|run \d|run-\d|secret/i;
    expect(texts.filter((text) => said.test(text))).toEqual([]);
    expect(texts).toEqual(expect.arrayContaining(['_OTHER', 'target-too-small', 'aborted', 'agent', 'failed']));
    for (const span of otel.spans()) {
      expect(span.status.message).toBeUndefined();
      expect(span.name).toMatch(/^(agent|compact|chat talking)$/);
    }
    await otel.shutdown();
  });
});

function pointsIn(all: readonly MetricData[]): (name: string) => readonly Point[] {
  return (name) => {
    const found = all.find(({ descriptor }) => descriptor.name === name);
    if (found === undefined) return [];
    if (found.dataPointType === DataPointType.HISTOGRAM)
      return found.dataPoints.map(({ value: { count, sum }, attributes }) => ({ value: { count, sum }, attributes }));
    if (found.dataPointType === DataPointType.EXPONENTIAL_HISTOGRAM) throw new Error('not expected here');
    return found.dataPoints.map(({ value, attributes }) => ({ value, attributes }));
  };
}

function valuesOf({ descriptor, dataPoints }: MetricData): unknown {
  return [descriptor.name, dataPoints.map(({ value, attributes }) => ({ value, attributes }))];
}

function millis(span: ReadableSpan | undefined): number {
  const [seconds, nanos] = span?.duration ?? [0, 0];
  return seconds * 1_000 + nanos / 1_000_000;
}
