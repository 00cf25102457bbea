import { isKeptFact, isVisibleFact } from '../survival/survival.ts';
import type { Cell, RunResult } from '../types.ts';

/** Tolerance for rounding in stored figures. */
const SAME = 1e-6;

/** Lists figures of a run that contradict its own facts, as sentences. Empty when all agree. */
export function recheckRun(run: RunResult): readonly string[] {
  return run.cells.flatMap((cell) => {
    const place = `${cell.fixture} run ${run.run}, ${cell.arm} pass ${cell.pass}, ${cell.probe}`;
    return recheckCell(cell).map((text) => `${place}: ${text}`);
  });
}

/** Recomputes the shares of a cell. When its facts have different weights, only the limits of a share are known. */
function recheckCell(cell: Cell): readonly string[] {
  const found: string[] = [];
  for (const [name, stored, isThere] of [
    ['survival', cell.survival, isKeptFact],
    ['visible', cell.visible, isVisibleFact],
  ] as const) {
    const { facts } = cell;
    if (facts.length === 0 || stored === null) continue;
    const there = facts.filter(isThere).length;
    const isEven = new Set(facts.map(({ weight }) => weight)).size === 1 || there === 0 || there === facts.length;
    const made = there / facts.length;
    if (isEven ? Math.abs(made - stored) > SAME : stored <= 0 || stored >= 1)
      found.push(
        `stored ${name} is ${figure(stored)}, its facts give ${isEven ? figure(made) : 'a value between 0 and 1'}`,
      );
  }
  return found;
}

/** Lists where two JSON values differ, as `place: stored X, made anew Y`, up to `most` of them. */
export function differencesOf(stored: unknown, made: unknown, most = 20): readonly string[] {
  const found: string[] = [];
  walk(stored, made, '');
  return found.slice(0, most);

  function walk(left: unknown, right: unknown, place: string): void {
    if (found.length >= most || left === right) return;
    if (typeof left === 'number' && typeof right === 'number' && Math.abs(left - right) <= SAME) return;
    if (isObject(left) && isObject(right)) {
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
        walk(left[key], right[key], place === '' ? key : `${place}.${key}`);
      return;
    }
    found.push(`${place}: stored ${shown(left)}, made anew ${shown(right)}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'number' ? figure(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function figure(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
