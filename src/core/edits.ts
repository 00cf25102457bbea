import { refOfMessages } from './conversation/ref.ts';
import type { AssembledView } from './assemble.ts';
import type { CompactPlan } from './policy/plan.ts';
import type { Edit } from './receipt.ts';
import type { Measure } from './tokens/measure.ts';

/** The recorded changes of a compaction, oldest first; neighbouring steps with the same fate are one edit. */
export function editsOf(plan: CompactPlan, view: AssembledView, measure: Measure): readonly Edit[] {
  const { history, steps, layout } = plan;
  const kept = new Set(view.messages);
  const edits: Edit[] = [];
  for (let index = 0; index < steps.length; index++) {
    const mode = layout.modes[index];
    if (mode !== 'fold' && mode !== 'condense') continue;
    let last = index;
    while (layout.modes[last + 1] === mode) last++;
    const from = steps[index]?.from ?? 0;
    const to = steps[last]?.to ?? from;
    const originals = history.slice(from, to);
    if (mode === 'fold') edits.push({ kind: 'fold', from, to: to - 1, tokensBefore: measure.messages(originals), tokensAfter: 0, ref: refOfMessages(originals) });
    else if (originals.some((message) => !kept.has(message))) {
      const tokensBefore = measure.messages(originals);
      edits.push({ kind: 'condense', from, to: to - 1, tokensBefore, tokensAfter: 0, ref: refOfMessages(originals) });
    }
    index = last;
  }
  return edits;
}
