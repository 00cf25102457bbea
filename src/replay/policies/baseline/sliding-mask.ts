import { createClearing, mapAt } from '../../view/edits.ts';
import { headLength } from '../../view/places.ts';
import type { Policy } from '../policy.ts';

/** Number of outputs that stay, as in the published setting of such recency windows. */
const KEPT_OUTPUTS = 10;

export const slidingMask: Policy = {
  id: 'sliding-mask',
  title: 'mask old output each turn',
  note: 'Before every request all but the newest 10 tool outputs are masked: few tokens, and a new prefix each time.',
  start: (setup) => {
    const clear = createClearing(setup);
    return {
      before: ({ view }) => {
        const outputs = view.flatMap(({ isOutput }, at) => (isOutput && at >= headLength(view, 'task') ? [at] : []));
        const masked = mapAt(view, new Set(outputs.slice(0, -KEPT_OUTPUTS)), clear);
        return masked === view ? null : { op: 'prune', view: masked, calls: [], reason: 'older than 10 outputs' };
      },
    };
  },
};
