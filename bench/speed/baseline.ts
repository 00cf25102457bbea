import type { SpeedResults } from './types.ts';

/** What later runs are compared with: a name and a time in yardsticks, no more. */
export interface Baseline {
  readonly version: 1;
  readonly date: string;
  readonly node: string;
  readonly cpu: SpeedResults['cpu'];
  readonly entries: readonly Entry[];
}

export interface Entry {
  /** Such as `fold at 100000`. */
  readonly name: string;
  readonly yardsticks: number;
  readonly sameByTheSame: number;
}

export function baselineOf(results: SpeedResults): Baseline {
  const { date, node, cpu } = results;
  return { version: 1, date, node, cpu, entries: entriesOf(results) };
}

export function entriesOf({ rows, lines }: Pick<SpeedResults, 'rows' | 'lines'>): readonly Entry[] {
  return [
    ...rows.map(({ workload, size, yardsticks, sameByTheSame }) => ({
      name: nameOf(workload, size),
      yardsticks,
      sameByTheSame,
    })),
    ...lines.map(({ what, yardsticks, sameByTheSame }) => ({ name: `lines: ${what}`, yardsticks, sameByTheSame })),
  ];
}

export function nameOf(workload: string, size: number): string {
  return `${workload} at ${size}`;
}

/** Reads a baseline; throws an error that names the file when it is not one. */
export function parseBaseline(text: string, file: string): Baseline {
  const value = parsed(text, file);
  const good =
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    'entries' in value &&
    Array.isArray(value.entries) &&
    value.entries.every(isEntry);
  if (!good) throw new Error(`${file} is not a baseline of this version; make another with npm run bench -- --save`);
  return value as unknown as Baseline;
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON; make another with npm run bench -- --save`, { cause });
  }
}

function isEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, yardsticks, sameByTheSame } = value as Partial<Entry>;
  return (
    typeof name === 'string' && typeof yardsticks === 'number' && yardsticks > 0 && typeof sameByTheSame === 'number'
  );
}
