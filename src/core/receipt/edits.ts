import { type Message, toolResultsOf } from '../conversation/message.ts';
import { prefixRefsOf, refOfResult } from '../conversation/ref.ts';
import type { CompactPlan } from '../plan/plan.ts';
import type { Measure } from '../tokens/measure.ts';
import type { AssembledView } from '../view/assemble.ts';
import type { Edit } from './receipt.ts';

/** The recorded changes of a compaction, oldest first. Neighbouring folded steps are one edit; every condensed step is one of its own. */
export function editsOf(plan: CompactPlan, view: AssembledView, measure: Measure): readonly Edit[] {
  const { steps, layout } = plan;
  const edits: Edit[] = [];
  const prefixRefs = prefixRefsOf(plan.history);
  let handoffTokens = view.handoff === null ? 0 : measure.message(view.handoff);
  for (let index = 0; index < steps.length; index++) {
    const mode = layout.modes[index];
    const from = steps[index]?.from ?? 0;
    if (mode === 'condense' || mode === 'trim')
      edits.push(
        ...reduceEdit(plan, view, measure, { from, to: steps[index]?.to ?? from, trims: mode === 'trim', prefixRefs }),
      );
    if (mode !== 'fold') continue;
    while (layout.modes[index + 1] === 'fold') index++;
    const to = steps[index]?.to ?? from;
    // The handoff is written once: its tokens stand at the first stretch it replaces.
    edits.push({
      kind: 'fold',
      from,
      to: to - 1,
      tokensBefore: measure.messages(plan.history.slice(from, to)),
      tokensAfter: handoffTokens,
      ref: view.handoffRef,
    });
    handoffTokens = 0;
  }
  return edits;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly trims: boolean;
  readonly prefixRefs: readonly string[];
}

function reduceEdit(
  plan: CompactPlan,
  view: AssembledView,
  measure: Measure,
  { from, to, trims, prefixRefs }: Stretch,
): readonly Edit[] {
  const changed = plan.history.slice(from, to).some((_, offset) => view.condensed.has(from + offset));
  if (!changed) return [];
  const originals = plan.history.slice(from, to);
  const after = originals.map((message, offset): Message => view.condensed.get(from + offset) ?? message);
  const repeated = originals.some((_, offset) => plan.redundant.get(from + offset)?.type === 'exact');
  const [result] = originals.flatMap(toolResultsOf);
  return [
    {
      kind: trims ? 'trim' : repeated ? 'dedupe' : 'condense',
      from,
      to: to - 1,
      tokensBefore: measure.messages(originals),
      tokensAfter: measure.messages(after),
      ref: result === undefined ? (prefixRefs[to - 1] ?? '') : refOfResult(result),
    },
  ];
}
