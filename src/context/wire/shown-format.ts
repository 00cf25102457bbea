import type { Format } from '../../core/format.ts';
import type { ContextWorld } from '../options.ts';

/** The format that a wire value shows; null when it shows none, as an item of a new type may not. */
export function shownFormat(world: ContextWorld, wire: unknown): Format | null {
  try {
    return world.formatOf(wire);
  } catch {
    return null;
  }
}
