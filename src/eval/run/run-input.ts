import type { Model } from '../../core/model.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { Hash } from '../probes/bank.ts';
import type { Cell, StateResult } from '../types.ts';
import type { ArmName } from './arms/arms.ts';
import type { CandidateSettings } from './arms/candidate.ts';
import type { PlainMessages, UserArm } from './arms/user-arm.ts';
import type { Asker } from './calls/asker.ts';
import type { Earlier } from './events.ts';
import type { PlannedFixture } from './plan.ts';

/** The models that take the exam and grade it. */
export interface ExamModels {
  /** Answers the questions, from the state alone. */
  readonly answerer: Model;
  /** Grades the answers. A model of another family than the answerer judges more fairly. */
  readonly judge: Model;
}

/** The input of one run over one fixture. */
export interface RunInput {
  readonly label: string;
  /** Counted from 1. */
  readonly run: number;
  readonly planned: PlannedFixture;
  readonly arms: readonly ArmName[];
  readonly userArms: readonly UserArm[];
  readonly candidate: CandidateSettings;
  /** Null when no model is asked. */
  readonly exam: ExamModels | null;
  readonly rubricDigest: string;
  readonly precis: string;
}

export interface RunPorts {
  readonly counter: TokenCounter;
  readonly asker: Asker;
  readonly plain: PlainMessages;
  readonly digest: Hash;
  /** Milliseconds since some fixed moment. */
  readonly now: () => number;
  /** The current time in ISO form. */
  readonly date: () => string;
  /** The work of an interrupted evaluation. */
  readonly earlier: Earlier;
  readonly onState?: (state: StateResult) => Promise<void> | void;
  readonly onCell?: (finished: FinishedCell) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

/** A finished cell. */
export interface FinishedCell {
  readonly key: string;
  readonly cell: Cell;
  /** False when an earlier process finished it. */
  readonly isNew: boolean;
  /** Price of answer and grades, in US dollars; null when a price is unknown. */
  readonly usd: number | null;
}
