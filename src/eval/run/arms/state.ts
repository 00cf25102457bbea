import type { Message } from '../../../core/conversation/message.ts';
import type { TokenCounter } from '../../../core/tokens/counter.ts';
import type { Measure } from '../../../core/tokens/measure.ts';
import type { ArmRole, StateResult } from '../../types.ts';
import type { Asker } from '../calls/asker.ts';
import type { PlannedFixture } from '../plan.ts';
import type { CandidateSettings } from './candidate.ts';
import type { PlainMessages } from './user-arm.ts';

/** A session after an arm has worked on it. */
export interface State {
  readonly result: StateResult;
  /** The messages that the answerer sees; empty when the state is invalid. */
  readonly messages: readonly Message[];
  /** Number of session messages said by then. */
  readonly said: number;
  /** True when each question comes with one search of everything said so far. */
  readonly recalls: boolean;
}

export interface StatesPorts {
  readonly counter: TokenCounter;
  readonly asker: Asker;
  readonly plain: PlainMessages;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/** The input and ports that all arms of one run over one fixture share. */
export interface ArmInput {
  readonly planned: PlannedFixture;
  readonly run: number;
  readonly candidate: CandidateSettings;
  /** The answerer's window in tokens; null when no model answers. */
  readonly answererWindow: number | null;
  readonly ports: StatesPorts;
  readonly measure: Measure;
  readonly counts: WeakMap<Message, number>;
  /** Where each pass ends, in messages. */
  readonly passEnds: readonly number[];
}

export interface StateName {
  readonly arm: string;
  readonly role: ArmRole;
  readonly pass: number;
}

/** Makes a result without sizes and costs. */
export function blankResult(name: StateName): StateResult {
  return { ...name, tokens: 0, tokensOfSource: 0, calls: 0, usd: 0, ms: 0, invalid: null };
}

/** A smaller saving does not count as compaction. */
const LEAST_SAVING = 0.01;
/** Room for the question, the rules and the answer. */
const EXAM_TOKENS = 3_000;

/** Marks a state as invalid when it cannot be scored fairly. */
export function checkedState(state: State, { answererWindow }: Pick<ArmInput, 'answererWindow'>): State {
  const { result } = state;
  const reason = result.invalid ?? vacuity(result) ?? overflow(result, answererWindow);
  return reason === null ? state : { ...state, messages: [], result: { ...result, invalid: reason } };
}

function vacuity({ role, tokens, tokensOfSource }: StateResult): string | null {
  if (role === 'ceiling' || role === 'floor') return null;
  if (tokens === tokensOfSource) return `nothing was compacted: ${tokens} tokens`;
  if (tokens > tokensOfSource) return `not smaller: ${tokens} tokens of ${tokensOfSource}`;
  return tokens > tokensOfSource * (1 - LEAST_SAVING)
    ? `saves less than 1 %: ${tokens} tokens of ${tokensOfSource}`
    : null;
}

function overflow({ tokens }: StateResult, window: number | null): string | null {
  return window !== null && tokens + EXAM_TOKENS > window
    ? `does not fit the answerer's window: ${tokens} tokens and the question into ${window}`
    : null;
}
