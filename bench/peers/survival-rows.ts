import { OURS } from './all-arms.ts';
import { startArm } from './arm-process.ts';
import { precis, precisModel } from './arms/precis.ts';
import { countTokens } from './arms/steps.ts';
import { inLanes } from './lanes.ts';
import type { Failed, PlacedArm, Progress } from './placed-arm.ts';
import type { SurvivalRow } from './results.ts';
import { startSummariser } from './summariser.ts';
import { type Case, caseOfSize, nearestCase, rowOf } from './survival.ts';
import { tellersOf } from './tellers.ts';
import type { BenchSession } from './types.ts';

export interface SurvivalInput {
  readonly arms: readonly PlacedArm[];
  readonly sessions: readonly BenchSession[];
  readonly percent: number;
  readonly passes: readonly number[];
  readonly window: number;
  readonly lanes: number;
  readonly onProgress: Progress;
  /** Told of an arm that broke off; what it had done until then stays. */
  readonly onFailed: Failed;
}

/** The least that a view is asked to have: below, headings and the last question are all there is. */
export const LEAST_TOKENS = 1_000;

/** Every arm on every session, and beside each result precis in the same size. */
export async function survivalRows(input: SurvivalInput): Promise<readonly SurvivalRow[]> {
  const sizes = new Map(input.sessions.map((session) => [session, countTokens(session.messages)]));
  const rows = await inLanes(input.arms, input.lanes, (placed) => rowsOf(placed, input, sizes));
  return rows.flat();
}

async function rowsOf(
  { arm, folder }: PlacedArm,
  { sessions, percent, passes, window, onProgress, onFailed }: SurvivalInput,
  sizes: ReadonlyMap<BenchSession, number>,
): Promise<readonly SurvivalRow[]> {
  const rows: SurvivalRow[] = [];
  const summariser = await startSummariser();
  const own = arm.summarises ? precisModel : precis;
  const stops: (() => Promise<void>)[] = [];
  try {
    const process = await startArm(arm.id, folder, summariser.place);
    stops.push(process.stop);
    const ownProcess = OURS.has(arm.id) ? null : await startArm(own.id, '', summariser.place);
    if (ownProcess !== null) stops.push(ownProcess.stop);
    for (const teller of tellersOf(arm)) {
      for (const times of passes) {
        const cases: Case[] = [];
        const ours: Case[] = [];
        for (const session of sessions) {
          onProgress(`survival: ${arm.id}, ${teller}, ${times === 1 ? '1 pass' : `${times} passes`}, ${session.name}`);
          const sessionTokens = sizes.get(session) ?? 0;
          const target = Math.max(LEAST_TOKENS, Math.round((sessionTokens * percent) / 100));
          const shared = { summariser, session, sessionTokens, teller, passes: times, target, window };
          const found = await nearestCase({ ...shared, arm, process });
          cases.push(found);
          if (ownProcess !== null)
            ours.push(await caseOfSize({ ...shared, arm: own, process: ownProcess }, found.tokens));
        }
        rows.push(rowOf({ arm: arm.id, teller, passes: times }, cases, ownProcess === null ? null : ours));
      }
    }
  } catch (error) {
    onFailed(arm.id, error instanceof Error ? error.message : String(error));
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    await summariser.close();
  }
  return rows;
}
