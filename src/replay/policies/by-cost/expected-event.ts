import type { EventShape } from '../../break-even/closed-forms.ts';
import { tokensOf } from '../../cache/block.ts';
import { headLength, tailStart } from '../../view/places.ts';
import type { PolicyView } from '../policy.ts';
import { SUMMARY_TOKENS, usualTail } from '../summary-policy.ts';

/** Returns the summary that a policy which decides by cost would make now. */
export function expectedEvent(view: PolicyView, fixedTokens: number): EventShape {
  const head = headLength(view.view, 'task');
  const stable = fixedTokens + tokensOf(view.view.slice(0, head));
  const tail = tokensOf(view.view.slice(tailStart(view.view, head, usualTail(view.window))));
  return {
    before: view.tokens,
    after: stable + SUMMARY_TOKENS + tail,
    stable,
    call: view.isCold ? 'unaligned' : 'aligned',
    summary: SUMMARY_TOKENS,
  };
}
