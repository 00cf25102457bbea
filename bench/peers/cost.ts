import { SYSTEM, turn } from '../../test/agent-wire.ts';
import { median } from '../speed/median.ts';
import { type ArmProcess, startArm } from './arm-process.ts';
import { precis } from './arms/precis.ts';
import { countTokens } from './arms/steps.ts';
import { type BatterySession, batterySession } from './battery-session.ts';
import { dialectOf } from './dialect.ts';
import type { ChainDone } from './job.ts';
import { type Failed, orFailed, type PlacedArm, type Progress } from './placed-arm.ts';
import type { CostResults, PassCost, TurnCost } from './results.ts';
import { type Summariser, startSummariser } from './summariser.ts';
import type { WireMessage } from './types.ts';

const PASSES = 5;
const TURNS = 41;
/** Turns where one takes so long that 41 of them would be most of the run. */
const SLOW_TURNS = 9;
const SLOW_MS = 60;
const SIZES: readonly number[] = [10_000, 100_000, 400_000];
/** Of the session. */
const KEPT_SHARE = 0.1;
/** What a turn would keep of the session if it were a compaction: some look for the place of the cut before they know whether one is due. */
const TURN_KEEP = 20_000;
/** Above every session, so that a turn is never a compaction. */
const WINDOW = 4_000_000;
const MEGABYTE = 1_048_576;

/** Time and memory of a pass, and time of a turn; one process at a time, so that none takes a core from another. */
export async function costResults(
  arms: readonly PlacedArm[],
  onProgress: Progress,
  onFailed: Failed,
): Promise<CostResults> {
  const session = batterySession('common');
  const summariser = await startSummariser();
  try {
    const passes: PassCost[] = [];
    const turns: TurnCost[] = [];
    for (const placed of arms) {
      onProgress(`cost: ${placed.arm.id}`);
      const cost = await orFailed(placed, null, onFailed, () => costOf(placed, summariser));
      if (cost === null) continue;
      passes.push(cost.pass);
      turns.push(...cost.turns);
    }
    onProgress('cost: precis against itself');
    const noise = await noiseOf(summariser);
    const { messages } = session;
    return { session: { tokens: countTokens(messages), messages: messages.length }, passes, turns, noise };
  } finally {
    await summariser.close();
  }
}

async function costOf(
  placed: PlacedArm,
  summariser: Summariser,
): Promise<{ readonly pass: PassCost; readonly turns: readonly TurnCost[] }> {
  const process = await startArm(placed.arm.id, placed.folder, summariser.place);
  try {
    const pass = await passCost(placed, process, summariser);
    const turns: TurnCost[] = [];
    for (const tokens of SIZES)
      turns.push({ arm: placed.arm.id, tokens, ms: await turnMs(process, grown(tokens), null) });
    return { pass, turns };
  } finally {
    await process.stop();
  }
}

async function passCost({ arm }: PlacedArm, process: ArmProcess, summariser: Summariser): Promise<PassCost> {
  const session = batterySession(dialectOf(arm.id));
  // First, while the process is new: later passes inherit the heap of earlier ones.
  const { peakBytes } = await onePass(process, session, summariser, true);
  const ms: number[] = [];
  for (let pass = 0; pass < PASSES; pass++) ms.push(await timedPass(process, session, summariser));
  return {
    arm: arm.id,
    ms: median(ms),
    peakMb: (peakBytes ?? 0) / MEGABYTE,
    loadedMb: process.residentBytes / MEGABYTE,
  };
}

/** From the messages to the compacted view, without the time that the summariser took. */
async function timedPass(process: ArmProcess, session: BatterySession, summariser: Summariser): Promise<number> {
  const { wholeMs } = await onePass(process, session, summariser, false);
  return Math.max(0, wholeMs - summariser.asked().ms);
}

function onePass(
  process: ArmProcess,
  { messages }: BatterySession,
  summariser: Summariser,
  wantsMemory: boolean,
): Promise<ChainDone> {
  summariser.act({ type: 'silent' });
  const keep = Math.round(countTokens(messages) * KEPT_SHARE);
  return process.chain({ parts: [messages], keep, window: WINDOW, wantsMemory });
}

/** A session of so many tokens, and the turns that come after it. */
interface Grown {
  readonly before: readonly WireMessage[];
  readonly next: readonly (readonly WireMessage[])[];
}

function grown(tokens: number): Grown {
  const each = countTokens(wireTurn(1_000));
  const count = Math.max(1, Math.round(tokens / each));
  return {
    before: [SYSTEM as unknown as WireMessage, ...Array.from({ length: count }, (_, n) => wireTurn(n + 1)).flat()],
    next: Array.from({ length: TURNS }, (_, n) => wireTurn(count + n + 1)),
  };
}

function wireTurn(n: number): readonly WireMessage[] {
  return turn(n) as unknown as readonly WireMessage[];
}

/** `turns` fixes how many are timed; otherwise a first few tell whether the peer is slow. */
async function turnMs(process: ArmProcess, { before, next }: Grown, turns: number | null): Promise<number> {
  const shared = { before, keep: TURN_KEEP, window: WINDOW };
  const first = await process.turns({ ...shared, turns: next.slice(0, turns ?? SLOW_TURNS) });
  if (turns !== null || median(first) > SLOW_MS) return median(first);
  return median(await process.turns({ ...shared, turns: next }));
}

/** precis measured twice in the same way, in turn, so that whatever slows the machine slows both. */
async function noiseOf(summariser: Summariser): Promise<CostResults['noise']> {
  const session = batterySession('common');
  const both = await Promise.all([
    startArm(precis.id, '', summariser.place),
    startArm(precis.id, '', summariser.place),
  ]);
  try {
    const passes: [number[], number[]] = [[], []];
    const turns: [number[], number[]] = [[], []];
    const middle = grown(SIZES[1] ?? 0);
    for (let pass = 0; pass < PASSES; pass++) {
      for (const [index, process] of both.entries()) {
        passes[index]?.push(await timedPass(process, session, summariser));
        if (pass < 3) turns[index]?.push(await turnMs(process, middle, TURNS));
      }
    }
    return { pass: ratio(passes.map(median)), turn: ratio(turns.map(median)) };
  } finally {
    await Promise.all(both.map((process) => process.stop()));
  }
}

function ratio([one = 0, other = 0]: readonly number[]): number {
  return one === 0 || other === 0 ? 1 : Math.max(one / other, other / one);
}
