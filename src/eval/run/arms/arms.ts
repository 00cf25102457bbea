import type { Message } from '../../../core/conversation/message.ts';
import { createMeasure } from '../../../core/tokens/measure.ts';
import type { PlannedFixture } from '../plan.ts';
import { type CandidateSettings, candidateStates } from './candidate.ts';
import { condensedStates } from './condense-only.ts';
import { passEndsOf } from './passes.ts';
import { type ArmInput, blankResult, checkedState, type State, type StatesPorts } from './state.ts';
import { MATCH_SHARE, MATCH_TOKENS, truncate } from './truncate.ts';
import { type UserArm, userStates } from './user-arm.ts';

/**
 * The built-in arms, in the order of reports: the whole session; the system messages alone; plain truncation to the candidate's size; old output
 * cut down and nothing folded; precis; and precis with one search per question.
 */
export const ARMS = ['full', 'none', 'truncation', 'condense-only', 'candidate', 'candidate+recall'] as const;
/** One of `ARMS`. */
export type ArmName = (typeof ARMS)[number];

export interface StatesInput {
  readonly planned: PlannedFixture;
  readonly run: number;
  readonly arms: readonly ArmName[];
  readonly userArms: readonly UserArm[];
  readonly candidate: CandidateSettings;
  /** The answerer's window in tokens; null when no model answers. */
  readonly answererWindow: number | null;
}

/** Makes all states of one run over one fixture, arm by arm and pass by pass. */
export async function makeStates(input: StatesInput, ports: StatesPorts): Promise<readonly State[]> {
  const { planned, arms, userArms } = input;
  const counts = new WeakMap<Message, number>();
  const measure = createMeasure(ports.counter, 1, { counts });
  const passEnds = passEndsOf(planned.conversation, planned.passes);
  const armInput: ArmInput = { ...input, ports, measure, counts, passEnds };
  const needsCandidate = arms.some((arm) => arm.startsWith('candidate') || arm === 'truncation');
  const candidate = needsCandidate ? await candidateStates(armInput) : [];
  const states: State[] = [];
  for (const arm of ARMS) if (arms.includes(arm)) states.push(...(await statesOf(arm, candidate, armInput)));
  for (const arm of userArms) states.push(...(await userStates(armInput, arm)));
  return states;
}

async function statesOf(arm: ArmName, candidate: readonly State[], armInput: ArmInput): Promise<readonly State[]> {
  switch (arm) {
    case 'full':
    case 'none':
      return [uncompacted(armInput, arm)];
    case 'truncation':
      return candidate.map((state) => truncated(armInput, state));
    case 'condense-only':
      return condensedStates(armInput);
    case 'candidate':
      return candidate;
    case 'candidate+recall':
      return candidate.map((state) => ({ ...state, recalls: true, result: { ...state.result, arm } }));
  }
}

function uncompacted(armInput: ArmInput, arm: 'full' | 'none'): State {
  const { planned, measure } = armInput;
  const all = planned.conversation.messages;
  const messages = arm === 'full' ? all : all.filter(({ role }) => role === 'system');
  const result = {
    ...blankResult({ arm, role: arm === 'full' ? 'ceiling' : 'floor', pass: 0 }),
    tokens: measure.messages(messages),
    tokensOfSource: measure.messages(all),
  };
  return checkedState({ result, messages, said: all.length, recalls: false }, armInput);
}

function truncated(armInput: ArmInput, { result, said }: State): State {
  const { planned, measure } = armInput;
  const source = planned.conversation.messages.slice(0, said);
  const blank = blankResult({ arm: 'truncation', role: 'control', pass: result.pass });
  const base = { ...blank, tokensOfSource: result.tokensOfSource };
  const invalid = (reason: string): State => ({
    result: { ...base, invalid: reason },
    messages: [],
    said,
    recalls: false,
  });
  if (result.invalid !== null) return invalid('the candidate has no size to match');
  const messages = truncate(source, result.tokens, measure);
  const tokens = measure.messages(messages);
  if (Math.abs(tokens - result.tokens) > Math.max(MATCH_TOKENS, result.tokens * MATCH_SHARE))
    return invalid(`${tokens} tokens are as near as truncation comes to the candidate's ${result.tokens}`);
  return checkedState({ result: { ...base, tokens }, messages, said, recalls: false }, armInput);
}
