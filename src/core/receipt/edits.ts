import { type Message, toolResultsOf } from '../conversation/message.ts';
import { prefixRefsOf, refOfResult } from '../conversation/ref.ts';
import type { Step } from '../conversation/steps.ts';
import type { CompactPlan } from '../plan/plan.ts';
import type { Measure } from '../tokens/measure.ts';
import type { AssembledView } from '../view/assemble.ts';
import type { Edit } from './receipt.ts';

/** The recorded changes of a compaction, oldest first. Neighbouring folded steps are one edit; every condensed step is one of its own. */
export function editsOf(plan: CompactPlan, view: AssembledView, measure: Measure): readonly Edit[] {
  const { modes } = plan.layout;
  const { steps, history } = plan.situation;
  const edits: Edit[] = [];
  const prefixRefs = prefixRefsOf(history);
  let handoffTokens = view.handoff === null ? 0 : measure.message(view.handoff);
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] as Step;
    const mode = modes[index];
    if (mode === 'retell') edits.push(retellEdit({ plan, view, measure, step, trims: false, prefixRefs }));
    if (mode === 'condense' || mode === 'trim') {
      const edit = reduceEdit({ plan, view, measure, step, trims: mode === 'trim', prefixRefs });
      if (edit !== null) edits.push(edit);
    }
    if (mode !== 'fold') continue;
    while (modes[index + 1] === 'fold') index++;
    const { from } = step;
    const to = steps[index]?.to ?? from;
    // The handoff is written once: its tokens count at the first stretch it replaces.
    edits.push({
      kind: 'fold',
      from,
      to: to - 1,
      tokensBefore: measure.messages(history.slice(from, to)),
      tokensAfter: handoffTokens,
      ref: view.handoffRef,
    });
    handoffTokens = 0;
  }
  const { places } = plan;
  if (places === null) return edits;
  return edits.map((edit) => ({ ...edit, from: places[edit.from] ?? edit.from, to: places[edit.to] ?? edit.to }));
}

function retellEdit({ plan, view, measure, step: { from, to }, prefixRefs }: ReduceInput): Edit {
  const retold = view.condensed.get(from);
  return {
    kind: 'retell',
    from,
    to: to - 1,
    tokensBefore: measure.messages(plan.situation.history.slice(from, to)),
    tokensAfter: retold === undefined ? 0 : measure.message(retold),
    ref: prefixRefs[to - 1] ?? '',
  };
}

interface ReduceInput {
  readonly plan: CompactPlan;
  readonly view: AssembledView;
  readonly measure: Measure;
  readonly step: Step;
  readonly trims: boolean;
  readonly prefixRefs: readonly string[];
}

function reduceEdit({ plan, view, measure, step, trims, prefixRefs }: ReduceInput): Edit | null {
  const { from, to } = step;
  const { history, redundant } = plan.situation;
  const originals = history.slice(from, to);
  if (!originals.some((_, offset) => view.condensed.has(from + offset))) return null;
  const after = originals.map((message, offset): Message => view.condensed.get(from + offset) ?? message);
  const repeated = originals.some((_, offset) => redundant.get(from + offset)?.type === 'exact');
  const [result] = originals.flatMap(toolResultsOf);
  return {
    kind: trims ? 'trim' : repeated ? 'dedupe' : 'condense',
    from,
    to: to - 1,
    tokensBefore: measure.messages(originals),
    tokensAfter: measure.messages(after),
    ref: result === undefined ? (prefixRefs[to - 1] ?? '') : refOfResult(result),
  };
}
