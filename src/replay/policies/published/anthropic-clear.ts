import { createClearing, mapAt } from '../../view/edits.ts';
import type { Policy } from '../policy.ts';

/** Defaults of Anthropic's context editing (`clear_tool_uses_20250919`). */
const TRIGGER_TOKENS = 100_000;
const KEPT_USES = 3;

export const anthropicClear: Policy = {
  id: 'anthropic-clear',
  title: 'Anthropic: clear tool uses',
  note: 'Emulates context editing with its defaults: above 100,000 tokens all but the newest 3 tool results are cleared.',
  start: (setup) => {
    const clear = createClearing(setup);
    return {
      before: ({ view, tokens }) => {
        if (tokens <= TRIGGER_TOKENS) return null;
        const outputs = view.flatMap(({ isOutput }, at) => (isOutput ? [at] : []));
        const cleared = mapAt(view, new Set(outputs.slice(0, -KEPT_USES)), clear);
        return cleared === view ? null : { op: 'prune', view: cleared, calls: [], reason: 'above 100,000 tokens' };
      },
    };
  },
};
