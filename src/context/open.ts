import { PrecisError } from '../core/errors.ts';
import { detectFormat, formatById } from '../formats/detect.ts';
import { encodeStrictly } from '../formats/strict/encode-strictly.ts';
import { failureOf } from '../models/failure/failure.ts';
import { limitSummaryTime } from '../models/limit-summary-time.ts';
import { type Context, openContextIn } from './context.ts';
import type { ContextOptions } from './options.ts';

/**
 * Opens the living context of an agent: append what is said, prepare what is sent, observe what it cost; undo, recall, switch models. It uses
 * the wire format of the first messages it gets.
 */
export async function openContext(options: ContextOptions): Promise<Context> {
  return openContextIn(limitSummaryTime(options), {
    formatOf: (wire) => {
      const format = detectFormat(wire);
      if (format !== null) return format;
      throw new PrecisError('unknown-format', 'Expected messages of a known wire format, got something else', {});
    },
    formatById,
    failureOf,
    encodeStrictly,
    now: () => Date.now(),
  });
}
