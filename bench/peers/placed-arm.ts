import type { Arm } from './types.ts';

/** An arm and the folder where its package is; empty for those that need none. */
export interface PlacedArm {
  readonly arm: Arm;
  readonly folder: string;
}

/** Told what goes on: a line each. */
export type Progress = (line: string) => void;
