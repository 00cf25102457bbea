import { allText } from '../conversation/message.ts';
import type { Fact } from '../facts/fact.ts';
import { singleSpaced } from '../language/spaces.ts';
import type { CompactPlan } from '../plan/plan.ts';
import { isHandoffText } from '../record/handoff/frame.ts';
import type { AssembledView } from '../view/assemble.ts';
import type { Receipt } from './receipt.ts';

/** What became of the facts that must not be lost. */
export interface FactAudit {
  readonly counts: Receipt['facts'];
  readonly missing: readonly Fact[];
  readonly validation: Readonly<Record<string, unknown>>;
}

/**
 * Looks for every critical fact in the view. A fact whose message stands in the view as it was is kept; others are looked for in what the
 * engine wrote. What is in neither is recoverable, because the original of every message left out stands behind a ref.
 */
export function auditFacts(plan: CompactPlan, view: AssembledView): FactAudit {
  const inView = new Set(view.messages);
  const { history, steps, ledger } = plan.situation;
  const { carriedThrough, numbers } = plan.situation.record;
  const original = new Set(history);
  // Before an earlier handoff numbers mean messages that are not at hand; what it carried is looked for in all that was written.
  const searched = view.messages.filter((message) => carriedThrough > 0 || !original.has(message));
  const written = singleSpaced(searched.map(allText).join('\n'));
  const stepOf = new Map<number, (typeof steps)[number]>();
  for (const step of steps) for (let index = step.from; index < step.to; index++) stepOf.set(numbers[index] ?? 0, step);
  // A call and its result are one thing: the call alone says nothing of what came back.
  const standsWhole = (number: number): boolean => {
    const step = stepOf.get(number);
    return step !== undefined && history.slice(step.from, step.to).every((message) => inView.has(message));
  };
  const critical = ledger.facts.filter((fact) => fact.critical);
  const missing: Fact[] = [];
  let recoverable = 0;
  for (const fact of critical) {
    const carried = fact.source.message <= carriedThrough;
    if (!carried && standsWhole(fact.source.message)) continue;
    if (fact.needles.every((needle) => written.includes(singleSpaced(needle)))) continue;
    missing.push(fact);
    // What is at hand stands behind a ref of this view; what was carried stands behind the refs of the handoffs before it.
    if (!carried || view.handoff === null || written.includes(', earlier ⟦r:')) recoverable++;
  }
  const handoff = view.handoff === null ? null : allText(view.handoff);
  return {
    counts: {
      critical: critical.length,
      kept: critical.length - missing.length,
      recoverable,
      lost: missing.length - recoverable,
    },
    missing,
    validation:
      handoff === null
        ? {}
        : {
            readable: isHandoffText(handoff),
            missingCritical: missing.length,
            constraintsMissing: missing.filter((fact) => fact.kind === 'constraint').length,
          },
  };
}
