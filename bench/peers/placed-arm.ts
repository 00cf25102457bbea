import type { Arm } from './types.ts';

/** An arm and the folder where its package is; empty for those that need none. */
export interface PlacedArm {
  readonly arm: Arm;
  readonly folder: string;
}

/** Told what goes on: a line each. */
export type Progress = (line: string) => void;

/** Told of an arm that broke off, and why. */
export type Failed = (arm: string, reason: string) => void;

/** An arm that breaks off takes no other with it. */
export async function orFailed<Result>(
  { arm }: PlacedArm,
  otherwise: Result,
  onFailed: Failed,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    onFailed(arm.id, error instanceof Error ? error.message : String(error));
    return otherwise;
  }
}
