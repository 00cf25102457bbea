import { survivalOf } from '../survival/survival.ts';
import type { Probe } from '../types.ts';
import type { State } from './arms/state.ts';
import type { PlannedFixture } from './plan.ts';
import type { SessionPrefixes } from './session-prefixes.ts';

/** Creates a function that chooses the probes to ask of a state: those for its pass whose answer the session has already said. */
export function createProbeSchedule(
  planned: PlannedFixture,
  prefixes: SessionPrefixes,
): (state: State) => Promise<readonly Probe[]> {
  const { bank, conversation } = planned;
  const passes = Math.max(1, planned.passes);
  const all = conversation.messages.length;
  const answerable = new Map<string, boolean>();

  const isDue = async (probe: Probe, { result, said: upTo }: State): Promise<boolean> => {
    if (result.pass === 0) return true;
    if (probe.pass !== null) return Math.min(probe.pass, passes) === result.pass;
    if (upTo === all || probe.expected.length === 0) return true;
    const key = `${upTo} ${probe.id}`;
    const known = answerable.get(key);
    if (known !== undefined) return known;
    // By now the session must have said as much of the answer as it ever will.
    const now = (await survivalOf(probe, prefixes.text(upTo))).visible ?? 0;
    const isAnswerable = now > 0 && now >= ((await survivalOf(probe, prefixes.text(all))).visible ?? 0);
    answerable.set(key, isAnswerable);
    return isAnswerable;
  };

  return async (state) => {
    const due: Probe[] = [];
    for (const probe of bank.probes) if (await isDue(probe, state)) due.push(probe);
    return due;
  };
}
