import {
  type Context as ActiveContext,
  type Attributes,
  context as active,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Context } from '../../context/context.ts';
import type { ModelCall } from '../../core/model.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';
import { callSpanAttributes, errorType, modelAttributes, receiptAttributes } from './attributes.ts';

/**
 * Writes one span per compaction, with a child per model call. News between compactions become events of the host's active span, next to the
 * request they belong to.
 */
export function traceContext(context: Context, tracer: Tracer, attributes: Attributes): () => void {
  const own = { ...attributes, 'gen_ai.conversation.id': context.id };
  const stops = [...onCompactions(context, tracer, own), ...onOtherEvents(context, own)];
  return () => {
    for (const stop of stops) stop();
  };
}

function onCompactions(context: Context, tracer: Tracer, own: Attributes): readonly (() => void)[] {
  let started: Started | null = null;
  const finish = (done: Done): void => {
    const start = started;
    started = null;
    writeSpan(tracer, start, { ...done, own });
  };
  return [
    context.on('compaction:start', ({ tokens, target }) => {
      started = {
        at: Date.now(),
        parent: active.active(),
        attributes: { 'precis.tokens.before': tokens, 'precis.tokens.target': target },
      };
    }),
    context.on('compaction:end', ({ id, receipt }) =>
      finish({ receipt, attributes: { 'precis.compaction.id': id }, isFailed: false }),
    ),
    context.on('compaction:refused', ({ receipt }) =>
      finish({ receipt, attributes: { 'precis.compaction.outcome': 'refused' }, isFailed: false }),
    ),
    context.on('compaction:failed', ({ error }) =>
      finish({
        receipt: null,
        attributes: { 'precis.compaction.outcome': 'failed', 'error.type': errorType(error) },
        isFailed: true,
      }),
    ),
  ];
}

function onOtherEvents(context: Context, own: Attributes): readonly (() => void)[] {
  const tell = (name: string, more: Attributes): void => {
    trace.getActiveSpan()?.addEvent(name, { ...own, ...more });
  };
  return [
    context.on('pressure', ({ level, pressure, tokens, threshold, turnsLeft }) =>
      tell('precis.pressure', {
        'precis.pressure.level': level,
        'precis.view.pressure': pressure,
        'precis.view.tokens': tokens,
        'precis.tokens.threshold': threshold,
        ...(turnsLeft === null ? {} : { 'precis.turns_left': turnsLeft }),
      }),
    ),
    context.on('model:switched', ({ from, to, window }) =>
      tell('precis.model.switched', {
        ...modelAttributes(to),
        ...(from === null ? {} : { 'precis.model.from': from }),
        'precis.tokens.window': window,
      }),
    ),
    context.on('store:error', ({ error, waiting }) =>
      tell('precis.store.error', { 'error.type': errorType(error), 'precis.store.waiting': waiting }),
    ),
  ];
}

interface Started {
  readonly at: number;
  /** The active context when the compaction began: in most hosts the span of the request. */
  readonly parent: ActiveContext;
  readonly attributes: Attributes;
}

interface Done {
  readonly receipt: Receipt | null;
  readonly attributes: Attributes;
  readonly isFailed: boolean;
}

/** Writes the span when a compaction is over, so that no span stays open, and one that finds nothing to do leaves no trace. */
function writeSpan(tracer: Tracer, started: Started | null, done: Done & { readonly own: Attributes }): void {
  const { receipt, own } = done;
  const now = Date.now();
  // A compaction that the host made itself and handed in was never announced.
  const start = started ?? { at: now - (receipt?.ms ?? 0), parent: active.active(), attributes: {} };
  const end = Math.max(start.at, now);
  const base = { ...own, 'gen_ai.operation.name': 'compact' };
  const options = { kind: SpanKind.INTERNAL, startTime: start.at, attributes: base };
  const span = tracer.startSpan('compact', options, start.parent);
  if (!span.isRecording()) return;
  span.setAttributes(receipt === null ? start.attributes : receiptAttributes(receipt));
  span.setAttributes(done.attributes);
  // No message: an error may quote the conversation.
  if (done.isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  const within = trace.setSpan(start.parent, span);
  traceCalls(tracer, receipt?.calls ?? [], { from: start.at, to: end, within, attributes: own });
  span.end(end);
}

interface CallPlace {
  readonly from: number;
  readonly to: number;
  readonly within: ActiveContext;
  readonly attributes: Attributes;
}

/**
 * Writes a span per call. The receipt knows how long each call took, but not when it began. Calls follow each other and little happens after the
 * last, so they are laid end to end before the end of the compaction: durations are exact, times are close.
 */
function traceCalls(tracer: Tracer, calls: readonly ModelCall[], { from, to, within, attributes }: CallPlace): void {
  let start = Math.max(from, to - calls.reduce((sum, call) => sum + call.ms, 0));
  for (const call of calls) {
    const more = callSpanAttributes(call);
    const name = `chat ${more['gen_ai.request.model']}`;
    const options = { kind: SpanKind.CLIENT, startTime: start, attributes: { ...attributes, ...more } };
    const span = tracer.startSpan(name, options, within);
    if (more['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    start += call.ms;
    span.end(start);
  }
}
