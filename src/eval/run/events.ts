import type { Cell, StateResult } from '../types.ts';

/** The place of one cell in a whole evaluation. */
export interface CellPlace {
  readonly fixture: string;
  readonly run: number;
  readonly arm: string;
  readonly pass: number;
  readonly probe: string;
}

/** Returns the key of a cell. It is the same in every process, so `events.jsonl` uses it. */
export function cellKey({ fixture, run, arm, pass, probe }: CellPlace): string {
  return [fixture, run, arm, pass, probe].map((part) => encodeURIComponent(String(part))).join('/');
}

/** One line of `events.jsonl`: a state, a cell or a call of an evaluation. */
export type EvalEvent =
  | {
      readonly type: 'cell';
      readonly key: string;
      readonly cell: Cell;
      /** Price of its answer and grades, in US dollars; null when unknown. */
      readonly usd: number | null;
    }
  | { readonly type: 'state'; readonly fixture: string; readonly run: number; readonly state: StateResult }
  | CallEvent;

/** A call that was paid for. */
export interface CallEvent {
  /** Distinguishes it from other events. */
  readonly type: 'call';
  /** Key of its answer in the cache. */
  readonly key: string;
  /** Purpose of the call. */
  readonly role: CallRole;
  /** Name of the model. */
  readonly model: string;
  /** Tokens sent; null when the provider does not say. */
  readonly inputTokens: number | null;
  /** Tokens answered; null when the provider does not say. */
  readonly outputTokens: number | null;
  /** Its price, in US dollars; null when unknown. */
  readonly usd: number | null;
  /** Time it took, in milliseconds. */
  readonly ms: number;
}

/** Purpose of a call: a summary, an answer, or grades. */
export type CallRole = 'compress' | 'answer' | 'judge';

/** The work of an earlier process of the same evaluation. */
export interface Earlier {
  /** Cells that were graded, by their key. */
  readonly cells: ReadonlyMap<string, DoneCell>;
  /** Number of times the judge of a cell was given up. Such a judge is asked again, not answered from the cache. */
  readonly unreadable: ReadonlyMap<string, number>;
  /** US dollars it spent. */
  readonly usd: number;
}

export interface DoneCell {
  readonly cell: Cell;
  readonly usd: number | null;
}

export const UNREADABLE = "the judge's answer could not be read";

/** Reads `events.jsonl`. It skips lines that a killed process left incomplete, and leaves out cells that ended in an error. */
export function readEvents(text: string): Earlier {
  const cells = new Map<string, DoneCell>();
  const unreadable = new Map<string, number>();
  let usd = 0;
  for (const line of text.split('\n')) {
    const event = parsed(line);
    if (event?.type === 'call') usd += event.usd ?? 0;
    if (event?.type !== 'cell') continue;
    const { key, cell } = event;
    if (cell.judged?.outcome !== 'error') cells.set(key, { cell, usd: event.usd });
    else if (cell.judged.note.startsWith(UNREADABLE)) unreadable.set(key, (unreadable.get(key) ?? 0) + 1);
  }
  return { cells, unreadable, usd };
}

function parsed(line: string): EvalEvent | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null && 'type' in value ? (value as EvalEvent) : null;
  } catch {
    return null;
  }
}
