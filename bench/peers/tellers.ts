import type { Teller } from './results.ts';
import type { Arm } from './types.ts';

/**
 * With which summarisers an arm is run: without words it shows what the engineering keeps by itself, with all of them what it lets a model see,
 * and with most of them what it makes of a model as models are.
 */
export function tellersOf({ summarises }: Arm): readonly Teller[] {
  return summarises ? ['silent', 'forgetful', 'rewording', 'perfect'] : ['none'];
}

/** The two ends of that scale, where what is between them adds nothing. */
export function endsOf(arm: Arm): readonly Teller[] {
  return tellersOf(arm).filter((teller) => teller !== 'forgetful' && teller !== 'rewording');
}
