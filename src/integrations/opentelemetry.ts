/** `precis/opentelemetry`: reports the activity of a context as OpenTelemetry metrics and spans. */
import { type Attributes, createNoopMeter, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api';
import type { Context } from '../context/context.ts';
import { measureContext } from './opentelemetry/metrics.ts';
import { traceContext } from './opentelemetry/spans.ts';

/** Where telemetry goes, and what it carries. */
export interface ObserveOptions {
  /** Receives the spans. @default the global tracer provider's, even when it is set up later */
  readonly tracer?: Tracer;
  /** Receives the metrics. @default the global meter provider's, which must be set up before */
  readonly meter?: Meter;
  /** Added to every metric and span, e.g. the name of the agent. Use few values: each makes a series of its own. @default none */
  readonly attributes?: Attributes;
}

/** Name of the instrumentation scope. */
const SCOPE = 'precis';

/**
 * Reports the activity of a context until the returned function is called; call that before you close the context. It reports numbers, ids and
 * fixed words, never the conversation. Without a provider in the host it records nothing, and costs a few calls per compaction.
 *
 * @example
 * const stop = observeContext(context, { attributes: { 'gen_ai.agent.name': 'reviewer' } });
 */
export function observeContext(context: Context, options: ObserveOptions = {}): () => void {
  const attributes = options.attributes ?? {};
  // Separate, so that spans still work when metrics break.
  const stops: (() => void)[] = [];
  unharmed(() => {
    const meter = options.meter ?? metrics.getMeter(SCOPE);
    if (meter !== createNoopMeter()) stops.push(measureContext(context, meter, attributes));
  });
  unharmed(() => {
    stops.push(traceContext(context, options.tracer ?? trace.getTracer(SCOPE), attributes));
  });
  return () => {
    for (const stop of stops.splice(0)) unharmed(stop);
  };
}

/** Runs work and ignores its errors, because broken telemetry must not harm the host. */
function unharmed(work: () => void): void {
  try {
    work();
  } catch {
    // The telemetry itself broke, so there is nobody to tell.
  }
}
