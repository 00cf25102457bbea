import type { Teller } from './results.ts';
import type { Arm } from './types.ts';

/** With which summarisers an arm is run: without words it shows what the engineering keeps by itself, with all of them what it lets a model see. */
export function tellersOf({ summarises }: Arm): readonly Teller[] {
  return summarises ? ['silent', 'perfect'] : ['none'];
}
