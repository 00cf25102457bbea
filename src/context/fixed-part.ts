import { NO_SURROUNDINGS, type Surroundings } from '../core/conversation/surroundings.ts';
import { type Fixed, fixedOf } from '../core/tokens/account.ts';
import { type Calibration, UNCALIBRATED } from '../core/tokens/calibrate.ts';
import type { Measure } from '../core/tokens/measure.ts';
import type { WindowChain } from './models/window-chain.ts';
import type { Journal } from './timeline/journal.ts';
import type { WireFormat } from './wire/wire-format.ts';

/** The part of a request that is in no message: tools, what the provider adds, and the answer it reserves. */
export interface FixedPart {
  /** Our own count of the tools; 0 when the host states the fixed tokens itself. */
  estimate(): number;
  /** Tokens of the model in use. */
  tokens(): Fixed;
  /** Most tokens of an answer that the request allows; null when it does not say. */
  output(): number | null;
  /** The factor and overhead that the context learned for the model in use. */
  calibration(): Calibration;
}

export interface FixedPartInput {
  readonly journal: Pick<Journal, 'state'>;
  readonly measure: Measure;
  readonly chain: Pick<WindowChain, 'activeId'>;
  readonly wireFormat: WireFormat;
  /** Tokens of system prompt and tools, as the host states them; null when they have to be counted and learned. */
  readonly stated: number | null;
}

export function createFixedPart({ journal, measure, chain, wireFormat, stated }: FixedPartInput): FixedPart {
  const read = createReader(wireFormat, measure);
  const calibration = (): Calibration => journal.state.calibration[chain.activeId()] ?? UNCALIBRATED;
  return {
    estimate: () => (stated === null ? read().tools : 0),
    tokens() {
      const { tools } = read();
      if (stated !== null) return fixedOf(tools, stated);
      const { factor, overhead, samples } = calibration();
      return { tools: Math.ceil(tools * factor), provider: samples === 0 ? 0 : Math.ceil(overhead) };
    },
    output: () => read().output,
    calibration,
  };
}

/** Reads the request around the messages once for each form that it takes: its tools may be long. */
function createReader(
  wireFormat: WireFormat,
  measure: Measure,
): () => Pick<Surroundings, 'output'> & { readonly tools: number } {
  let cached: { readonly of: unknown; readonly tools: number; readonly output: number | null } | null = null;
  return () => {
    const event = wireFormat.event();
    if (cached === null || cached.of !== event) {
      const { tools, output } =
        event === null
          ? NO_SURROUNDINGS
          : wireFormat.current().surroundings({ format: event.format, messages: [], envelope: event.envelope });
      cached = { of: event, tools: measure.text(tools), output };
    }
    return cached;
  };
}
