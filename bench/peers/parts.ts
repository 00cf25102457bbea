import { stepsOf } from './arms/steps.ts';
import type { WireMessage } from './types.ts';

/** A session cut between steps into as many parts as there are compactions: each is what was said since the last one. */
export function partsOf(messages: readonly WireMessage[], passes: number): readonly (readonly WireMessage[])[] {
  const steps = stepsOf(messages);
  const parts = Math.max(1, Math.min(passes, steps.length));
  const cut = (at: number): number => Math.floor((steps.length * at) / parts);
  return Array.from({ length: parts }, (_, at) => steps.slice(cut(at), cut(at + 1)).flat());
}
