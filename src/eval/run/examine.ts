import { examText } from '../exam/exam-text.ts';
import { isFound } from '../survival/match/found.ts';
import { type Haystack, haystackOf } from '../survival/match/haystack.ts';
import { matchFact } from '../survival/match/match.ts';
import { type SurvivalOptions, survivalOf } from '../survival/survival.ts';
import { viewText } from '../survival/view-text.ts';
import type { Cell, Probe, StateResult } from '../types.ts';
import type { State } from './arms/state.ts';
import { addUsd } from './calls/price.ts';
import { cellKey } from './events.ts';
import { type Judgement, judgedAnswer } from './judged-answer.ts';
import { createProbeSchedule } from './probe-schedule.ts';
import type { RunInput, RunPorts } from './run-input.ts';
import { createSessionPrefixes, type Recalled, type SessionPrefixes } from './session-prefixes.ts';

/** A state after every probe was asked. */
export interface ExaminedState {
  readonly state: StateResult;
  readonly cells: readonly Cell[];
  /** Price of answers and grades, in US dollars; null when a price is unknown. */
  readonly usd: number | null;
}

/** Creates a function that asks a state every due probe and finds the fate of its facts. */
export function createExaminer(input: RunInput, ports: RunPorts): (state: State) => Promise<ExaminedState> {
  const { planned } = input;
  const prefixes = createSessionPrefixes(planned.conversation.messages, ports.counter);
  const probesFor = createProbeSchedule(planned, prefixes);
  return async (state) => {
    if (state.result.invalid !== null) return { state: state.result, cells: [], usd: 0 };
    const view = { text: examText(state.messages), hay: haystackOf(viewText(state.messages)) };
    const probes = await probesFor(state);
    const examined = await Promise.all(
      probes.map((probe) => examineProbe(probe, { state, view }, { input, ports, prefixes })),
    );
    // The answerer also reads the search results, so their tokens count.
    const recalled = examined.reduce((sum, { recalledTokens }) => sum + recalledTokens, 0);
    const tokens = state.result.tokens + (probes.length === 0 ? 0 : Math.round(recalled / probes.length));
    return {
      state: { ...state.result, tokens },
      cells: examined.map(({ cell }) => cell),
      usd: examined.reduce<number | null>((sum, { usd }) => addUsd(sum, usd), 0),
    };
  };
}

interface Viewed {
  readonly state: State;
  readonly view: { readonly text: string; readonly hay: Haystack };
}

interface Examination {
  readonly input: RunInput;
  readonly ports: RunPorts;
  readonly prefixes: SessionPrefixes;
}

interface ExaminedProbe {
  readonly cell: Cell;
  readonly usd: number | null;
  readonly recalledTokens: number;
}

async function examineProbe(probe: Probe, { state, view }: Viewed, examination: Examination): Promise<ExaminedProbe> {
  const { input, ports, prefixes } = examination;
  const { fixture, conversation } = input.planned;
  const { arm, pass } = state.result;
  const recalled = state.recalls ? await prefixes.recall(state.said, probe.question) : null;
  const key = cellKey({ fixture: fixture.name, run: input.run, arm, pass, probe: probe.id });
  const source = prefixes.text(conversation.messages.length);
  const { facts, survival, visible } = await survivalOf(probe, view.hay, { source, ...foundBy(recalled) });
  const done = ports.earlier.cells.get(key);
  const { judged, usd }: Judgement =
    done?.cell.judged == null
      ? await judgedAnswer({ probe, view: view.text, recalled: recalled?.text ?? null, key }, input, ports)
      : { judged: done.cell.judged, usd: done.usd };
  const cell = {
    fixture: fixture.name,
    arm,
    pass,
    probe: probe.id,
    type: probe.type,
    facts,
    survival,
    visible,
    judged,
  };
  if (ports.signal?.aborted !== true) await ports.onCell?.({ key, cell, isNew: done === undefined, usd });
  return { cell, usd, recalledTokens: recalled?.tokens ?? 0 };
}

/** Counts a fact as recoverable when one search with the question finds it. */
function foundBy(recalled: Recalled | null): Pick<SurvivalOptions, 'recoverable'> {
  if (recalled === null) return {};
  const hay = haystackOf(recalled.text);
  return { recoverable: (fact) => isFound(matchFact(fact, hay)) };
}
