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
 * One span per compaction, with a child per call to a model. What is told between compactions becomes an event of the host's own span: there
 * it stands beside the request it belongs to.
 */
export function traceContext(context: Context, tracer: Tracer, attributes: Attributes): () => void {
  const own = { ...attributes, 'gen_ai.conversation.id': context.id };
  let started: Started | null = null;

  /** Spans are made when a compaction is over: one that finds nothing to do leaves no trace, and none is left open. */
  const finish = (done: Done): void => {
    const now = Date.now();
    const start = started ?? { ...NOT_TOLD, at: now - (done.receipt?.ms ?? 0), parent: active.active() };
    started = null;
    const end = Math.max(start.at, now);
    const base = { ...own, 'gen_ai.operation.name': 'compact' };
    const span = tracer.startSpan(
      'compact',
      { kind: SpanKind.INTERNAL, startTime: start.at, attributes: base },
      start.parent,
    );
    if (!span.isRecording()) return;
    span.setAttributes(done.receipt === null ? start.attributes : receiptAttributes(done.receipt));
    span.setAttributes(done.attributes);
    // No message: errors may quote what was said.
    if (done.isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    const within = trace.setSpan(start.parent, span);
    traceCalls(tracer, done.receipt?.calls ?? [], { from: start.at, to: end, within, attributes: own });
    span.end(end);
  };
  const tell = (name: string, more: Attributes): void => {
    trace.getActiveSpan()?.addEvent(name, { ...own, ...more });
  };

  const stops = [
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
  return () => {
    for (const stop of stops) stop();
  };
}

interface Started {
  readonly at: number;
  /** What was active when the compaction began: the span of the request, in most hosts. */
  readonly parent: ActiveContext;
  readonly attributes: Attributes;
}

/** A compaction that the host made itself and handed in was never announced. */
const NOT_TOLD: Pick<Started, 'attributes'> = { attributes: {} };

interface Done {
  readonly receipt: Receipt | null;
  readonly attributes: Attributes;
  readonly isFailed: boolean;
}

interface CallPlace {
  readonly from: number;
  readonly to: number;
  readonly within: ActiveContext;
  readonly attributes: Attributes;
}

/**
 * The receipt knows how long each call took, not when it began. Calls follow each other and little happens after the last, so they are laid
 * end to end before the end of the compaction: durations are exact, places close.
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
