import { startArm } from './arm-process.ts';
import { countTokens } from './arms/steps.ts';
import { type BatterySession, batterySession, LONG_CALLS } from './battery-session.ts';
import { dialectOf } from './dialect.ts';
import { inLanes } from './lanes.ts';
import { type Failed, orFailed, type PlacedArm, type Progress } from './placed-arm.ts';
import { MISBEHAVIOURS, type Misbehaviour, type MisbehaviourRow } from './results.ts';
import { type Manner, startSummariser } from './summariser.ts';
import { verdictOf } from './verdict.ts';

/** The agent's model in the cases where the summariser itself is at fault: usual, and far above the session. */
const WINDOW = 200_000;
/** The agent's model where the summariser's window is the fault: above the long session. */
const LONG_WINDOW = 1_000_000;
/** Of the session, what a caller asks to keep. With more room precis needs no model for this session, and there would be nothing to see. */
const KEPT_SHARE = 0.1;
/** Peers mostly wait here, for the next of their retries. */
const AT_ONCE = 5;

/** Every arm that asks a model, under every misbehaviour of the model, one compaction each. */
export async function misbehaviourRows(
  arms: readonly PlacedArm[],
  onProgress: Progress,
  onFailed: Failed,
): Promise<readonly MisbehaviourRow[]> {
  const asking = arms.filter(({ arm }) => arm.summarises);
  // Those with the longest retries first, so that nobody waits for them in the end.
  const patient = asking.toSorted((one, other) => Number(isSlow(other)) - Number(isSlow(one)));
  const rows = await inLanes(patient, AT_ONCE, (placed) =>
    orFailed(placed, [], onFailed, () => rowsOf(placed, onProgress)),
  );
  return asking.flatMap((placed) => rows[patient.indexOf(placed)] ?? []);
}

function isSlow({ arm }: PlacedArm): boolean {
  return arm.packages === 'cline';
}

async function rowsOf({ arm, folder }: PlacedArm, onProgress: Progress): Promise<readonly MisbehaviourRow[]> {
  const summariser = await startSummariser();
  const rows: MisbehaviourRow[] = [];
  try {
    for (const misbehaviour of MISBEHAVIOURS) {
      const isLong = misbehaviour === 'overflow';
      const session = batterySession(dialectOf(arm.id), isLong ? LONG_CALLS : undefined);
      const window = isLong ? LONG_WINDOW : WINDOW;
      const keep = Math.round(countTokens(session.messages) * KEPT_SHARE);
      summariser.act(mannerOf(misbehaviour, session));
      // A process for each: a flood that fills the memory of one must not decide the next.
      const process = await startArm(arm.id, folder, summariser.place);
      try {
        const chain = await process.chain({ parts: [session.messages], keep, window, wantsBefore: true });
        const { constraints, work } = session;
        const { calls, ms } = summariser.asked();
        const judged = verdictOf({ chain, tokens: tokensOf(chain.view), window, constraints, work });
        rows.push({ arm: arm.id, misbehaviour, ...judged, calls, seconds: (chain.ms - ms) / 1_000 });
      } catch (error) {
        // The session is gone with its process, so nothing was kept.
        const detail = error instanceof Error ? error.message : String(error);
        rows.push({
          arm: arm.id,
          misbehaviour,
          verdict: 'lost',
          detail,
          calls: summariser.asked().calls,
          seconds: 0,
        });
      } finally {
        await process.stop();
      }
      onProgress(`misbehaviours: ${arm.id}, ${misbehaviour}: ${rows.at(-1)?.verdict}, ${rows.at(-1)?.detail}`);
    }
  } finally {
    await summariser.close();
  }
  return rows;
}

function mannerOf(misbehaviour: Misbehaviour, { facts }: BatterySession): Manner {
  if (misbehaviour === 'overflow') return { type: 'perfect', facts };
  if (misbehaviour === 'cut-off') return { type: 'cut-off', facts };
  return { type: misbehaviour };
}

/** A flood of megabytes is not counted exactly: it takes long, and only its order matters. */
function tokensOf(view: Parameters<typeof countTokens>[0]): number {
  const characters = JSON.stringify(view).length;
  return characters > 4_000_000 ? Math.round(characters / 5) : countTokens(view);
}
