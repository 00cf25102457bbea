/** `precis/opentelemetry`: what a living context does, as OpenTelemetry metrics and spans. */
import { type Attributes, createNoopMeter, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api';
import type { Context } from '../context/context.ts';
import { measureContext } from './opentelemetry/metrics.ts';
import { traceContext } from './opentelemetry/spans.ts';

export interface ObserveOptions {
  /** @default that of the global tracer provider, also when it is set up later */
  readonly tracer?: Tracer;
  /** @default that of the global meter provider, which must be set up before */
  readonly meter?: Meter;
  /** Added to every metric and span, e.g. the name of the agent. Few values: each is a series of its own. @default none */
  readonly attributes?: Attributes;
}

/** Name of the instrumentation scope. */
const SCOPE = 'precis';

/**
 * Reports what a context does until the function that comes back is called; call it before the context is closed. Numbers, ids and words of
 * fixed lists only: nothing that was said. Without a provider of the host it records nothing, and costs a few calls per compaction.
 *
 * @example
 * const stop = observeContext(context, { attributes: { 'gen_ai.agent.name': 'reviewer' } });
 */
export function observeContext(context: Context, options: ObserveOptions = {}): () => void {
  const attributes = options.attributes ?? {};
  // Apart from each other: when metrics break, there are spans still.
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

/** Telemetry that breaks is telemetry that is missing, and no more than that. */
function unharmed(work: () => void): void {
  try {
    work();
  } catch {
    // There is nobody to tell: whoever would hear of it is what broke.
  }
}
