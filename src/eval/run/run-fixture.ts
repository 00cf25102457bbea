import { PrecisError } from '../../core/errors.ts';
import type { RunResult, StateResult } from '../types.ts';
import { makeStates } from './arms/arms.ts';
import { addUsd } from './calls/price.ts';
import { createExaminer } from './examine.ts';
import type { RunInput, RunPorts } from './run-input.ts';

/** Runs one fixture once: makes the states of every arm and asks every probe of each. */
export async function runFixture(input: RunInput, ports: RunPorts): Promise<RunResult> {
  const started = ports.now();
  const startedAt = ports.date();
  const { planned, candidate, exam } = input;
  const { fixture, bank } = planned;
  const answererWindow = exam?.answerer.contextWindow ?? null;
  const states = await makeStates({ ...input, answererWindow }, ports);
  const examine = createExaminer(input, ports);
  const examined = await Promise.all(
    states.map(async (state) => {
      const done = await examine(state);
      await ports.onState?.(done.state);
      return done;
    }),
  );
  if (ports.signal?.aborted === true) throw new PrecisError('aborted', 'The evaluation was interrupted');
  const results = examined.map(({ state }) => state);
  return {
    version: 1,
    label: input.label,
    fixture: fixture.name,
    run: input.run,
    states: results,
    cells: examined.flatMap(({ cells }) => cells),
    provenance: {
      precis: input.precis,
      fixtureDigest: fixture.digest,
      bankDigest: bank.digest,
      rubricDigest: input.rubricDigest,
      compressorModel: candidate.compressor?.id ?? null,
      answerModel: exam?.answerer.id ?? null,
      judgeModel: exam?.judge.id ?? null,
      target: planned.target,
      passes: new Set(results.map(({ pass }) => pass).filter((pass) => pass > 0)).size || 1,
      startedAt,
      ms: Math.round(ports.now() - started),
      usd: [...examined, ...paidStates(results)].reduce<number | null>((sum, { usd }) => addUsd(sum, usd), 0),
    },
  };
}

/** Lists the states whose price counts. `candidate+recall` reuses the candidate's compaction, and users pay for their own compactors. */
function paidStates(states: readonly StateResult[]): readonly StateResult[] {
  return states.filter(({ arm, usd }) => arm === 'candidate' || (usd !== null && arm !== 'candidate+recall'));
}
