import type { Receipt } from '../../src/index.ts';
import { compactionBound } from './bound.ts';
import type { Filler } from './fillers/filler.ts';
import type { LoopResult } from './loop-result.ts';
import type { LoopSpec } from './loop-spec.ts';
import type { Wire } from './said.ts';
import { createCount, type RequestSize } from './server/count.ts';

/** Writes down what happens in a loop. */
export interface LoopLog {
  readonly said: (messages: readonly Wire[]) => number;
  readonly sizeOf: (messages: readonly Wire[]) => number;
  readonly pin: (tokens: number) => void;
  readonly pinned: () => number;
  readonly sent: (
    request: unknown,
    seen: { readonly faults: readonly string[]; readonly markers: readonly string[] },
  ) => void;
  readonly refused: (turn: number, size: RequestSize) => void;
  readonly gaveUp: (turn: number, reason: string) => null;
  readonly compacted: (receipt: Receipt | null) => void;
  readonly turn: () => void;
  readonly note: (text: string) => void;
  readonly threw: (error: unknown) => void;
  readonly result: () => LoopResult;
}

/** Refusals that a context may need to learn a window that nobody told it. */
const LEARNING = { named: 2, unnamed: 4 } as const;
/** A refusal of what cannot work must name what is too large. */
const SAYS_WHY = /system|tool|instruction|fixed/i;
const MOST_NOTES = 10;

export function createLog(spec: LoopSpec, { shape }: Filler): LoopLog {
  const started = process.threadCpuUsage();
  const count = createCount();
  const notes = new Map<string, number>();
  const compactedAt: number[] = [];
  const free: number[] = [];
  let [turnsDone, said, saidAtFirst, pinned, overflows, unsound, room] = [0, 0, 0, 0, 0, 0, spec.window];
  const missing = { task: 0, newest: 0 };
  let giveUp: LoopResult['giveUp'] = null;
  const note = (text: string): void => void notes.set(withoutNumbers(text), (notes.get(withoutNumbers(text)) ?? 0) + 1);
  const sizeOf = (messages: readonly Wire[]): number => count({ messages }).messages;
  const isLearning = (): boolean =>
    shape.isImpossible || overflows <= (shape.overflow === null ? 0 : LEARNING[shape.overflow]);
  return {
    note,
    sizeOf,
    said(messages) {
      const tokens = sizeOf(messages);
      said += tokens;
      return tokens;
    },
    pin(tokens) {
      pinned += tokens;
    },
    pinned: () => pinned,
    sent(request, { faults, markers }) {
      if (faults.length > 0) unsound++;
      for (const fault of faults) note(fault);
      const { system, tools, output } = count(request);
      room = spec.window - system - tools - output;
      if (compactedAt.length === 0) return;
      const view = JSON.stringify(request);
      if (!view.includes(markers[0] ?? '')) missing.task++;
      if (!view.includes(markers.at(-1) ?? '')) missing.newest++;
    },
    refused(turn, { total }) {
      overflows++;
      if (!isLearning()) note(`turn ${turn}: ${total} tokens above ${spec.window}`);
    },
    gaveUp(turn, reason) {
      giveUp = { isTrue: shape.isImpossible && SAYS_WHY.test(reason), turn, reason };
      note(`gave up: ${reason}`);
      return null;
    },
    compacted(receipt) {
      if (compactedAt.length === 0) saidAtFirst = said;
      compactedAt.push(turnsDone);
      if (receipt !== null) free.push(receipt.tokens.threshold - receipt.tokens.after);
    },
    turn: () => void turnsDone++,
    threw(error) {
      unsound++;
      note(`threw: ${error instanceof Error ? error.message : String(error)}`);
    },
    result: () => ({
      name: spec.name,
      turns: spec.turns,
      turnsDone,
      compactions: compactedAt.length,
      bound: compactionBound({ said: said - saidAtFirst, free, room: room - pinned }),
      giveUp,
      above: Math.max(0, isLearning() ? 0 : overflows - (shape.overflow === null ? 0 : LEARNING[shape.overflow])),
      overflows,
      unsound,
      missing,
      everyTurn: runsOfThree(compactedAt),
      notes: [...notes].slice(0, MOST_NOTES).map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`)),
      said,
      ms: cpuMs(started),
    }),
  };
}

/** How often a turn compacted when both turns before it did too. */
function runsOfThree(at: readonly number[]): number {
  const turns = new Set(at);
  return [...turns].filter((turn) => turns.has(turn - 1) && turns.has(turn - 2)).length;
}

function cpuMs(started: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/(?<![A-Z]-)\d[\d,]*/g, 'N').slice(0, 240);
}
