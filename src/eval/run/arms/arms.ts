import { type Compaction, compact } from '../../../core/compact.ts';
import { append, type Conversation, withMessages } from '../../../core/conversation/conversation.ts';
import type { Message } from '../../../core/conversation/message.ts';
import { PrecisError } from '../../../core/errors.ts';
import { type Model, singleSummarizer } from '../../../core/model.ts';
import type { CompactOptions } from '../../../core/options.ts';
import type { TokenCounter } from '../../../core/tokens/counter.ts';
import { createMeasure, type Measure } from '../../../core/tokens/measure.ts';
import type { ArmRole, StateResult } from '../../types.ts';
import { type Asker, askedModel, type Tally } from '../calls/asker.ts';
import { cutsOf, type EvalSession } from './passes.ts';
import { MATCH_SHARE, MATCH_TOKENS, truncate } from './truncate.ts';

/** Arms that are always there, in the order of reports. */
export const ARMS = ['full', 'none', 'truncation', 'condense-only', 'candidate', 'candidate+recall'] as const;
export type ArmName = (typeof ARMS)[number];

const ROLES: Readonly<Record<ArmName, ArmRole>> = {
  full: 'ceiling',
  none: 'floor',
  truncation: 'control',
  'condense-only': 'control',
  candidate: 'candidate',
  'candidate+recall': 'candidate',
};

/** A compactor of someone else: plain messages in, plain messages out. Whatever it throws makes its state invalid. */
export interface UserArm {
  readonly name: string;
  compact(messages: readonly unknown[], info: UserArmInfo): Promise<unknown>;
}

export interface UserArmInfo {
  readonly fixture: string;
  /** Size the result should not exceed, in tokens. */
  readonly target: number;
  readonly pass: number;
  readonly passes: number;
  readonly run: number;
}

/** How messages get to compactors of others and back. */
export interface PlainMessages {
  /** The messages in the OpenAI chat format, which everyone knows. */
  to(conversation: Conversation): readonly unknown[];
  /** Throws when they are no messages of that format. */
  from(messages: unknown): Conversation;
}

/** What the candidate is made with. */
export interface CandidateSettings {
  /** Model that writes summaries; null for code alone. */
  readonly compressor: Model | null;
  readonly focus?: string;
  readonly template?: readonly string[];
}

export interface StatesInput {
  readonly fixture: string;
  readonly session: EvalSession;
  readonly run: number;
  readonly arms: readonly string[];
  readonly userArms: readonly UserArm[];
  readonly passes: number;
  readonly target: number;
  readonly candidate: CandidateSettings;
  /** Tokens the answerer takes; null when nobody answers. */
  readonly answererWindow: number | null;
}

export interface StatesPorts {
  readonly counter: TokenCounter;
  readonly asker: Asker;
  readonly plain: PlainMessages;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/** What an arm made of a session. */
export interface State {
  readonly result: StateResult;
  /** What the one who answers sees; empty when the state is invalid. */
  readonly messages: readonly Message[];
  /** Messages of the session that were said by then. */
  readonly said: number;
  /** True when one search in all that was said goes with each question. */
  readonly recalls: boolean;
}

/** Savings below this are no compaction. */
const LEAST_SAVING = 0.01;
/** Room for the question, the rules and the answer. */
const EXAM_TOKENS = 3_000;

interface Maker {
  readonly input: StatesInput;
  readonly ports: StatesPorts;
  readonly measure: Measure;
  readonly counts: WeakMap<Message, number>;
  readonly cuts: readonly number[];
}

/** All states of one run over one fixture, arm by arm, pass by pass. */
export async function makeStates(input: StatesInput, ports: StatesPorts): Promise<readonly State[]> {
  const counts = new WeakMap<Message, number>();
  const measure = createMeasure(ports.counter, 1, { counts });
  const maker: Maker = { input, ports, measure, counts, cuts: cutsOf(input.session.conversation, input.passes) };
  const wants = (arm: ArmName): boolean => input.arms.includes(arm);
  const needsCandidate = wants('candidate') || wants('candidate+recall') || wants('truncation');
  const candidate = needsCandidate ? await candidateStates(maker) : [];
  const states: State[] = [];
  for (const arm of ARMS) {
    if (!wants(arm)) continue;
    switch (arm) {
      case 'full':
      case 'none':
        states.push(uncompacted(maker, arm));
        break;
      case 'truncation':
        states.push(...candidate.map((state) => truncated(maker, state)));
        break;
      case 'condense-only':
        states.push(...(await chained(maker, arm, (view, rules) => condensed(maker, view, rules))));
        break;
      case 'candidate':
        states.push(...candidate);
        break;
      case 'candidate+recall':
        states.push(...candidate.map((state) => ({ ...state, recalls: true, result: { ...state.result, arm } })));
        break;
    }
  }
  for (const arm of input.userArms) states.push(...(await userStates(maker, arm)));
  return states;
}

function uncompacted({ input, measure }: Maker, arm: 'full' | 'none'): State {
  const all = input.session.conversation.messages;
  const messages = arm === 'full' ? all : all.filter(({ role }) => role === 'system');
  const tokens = measure.messages(messages);
  const result = { ...blank(arm, 0), tokens, tokensOfSource: measure.messages(all) };
  return checked({ result, messages, said: all.length, recalls: false }, input);
}

function blank(arm: ArmName, pass: number): StateResult {
  return { arm, role: ROLES[arm], pass, tokens: 0, tokensOfSource: 0, calls: 0, usd: 0, ms: 0, invalid: null };
}

function truncated({ input, measure }: Maker, { result, said }: State): State {
  const source = input.session.conversation.messages.slice(0, said);
  const base = { ...blank('truncation', result.pass), tokensOfSource: result.tokensOfSource };
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
  return checked({ result: { ...base, tokens }, messages, said, recalls: false }, input);
}

interface Made {
  readonly view: Conversation;
  readonly calls: number;
  readonly usd: number | null;
  readonly invalid: string | null;
}

/** The session in parts, compacted after each; every state is what the agent would go on with. */
async function chained(
  maker: Maker,
  arm: ArmName,
  make: (view: Conversation, session: EvalSession) => Promise<Made>,
): Promise<readonly State[]> {
  const { input, ports, measure, cuts } = maker;
  const { conversation } = input.session;
  const states: State[] = [];
  let view: Conversation = { ...conversation, messages: [] };
  let done = 0;
  for (const [at, said] of cuts.entries()) {
    const given =
      done === 0
        ? withMessages(conversation, conversation.messages.slice(0, said))
        : append(view, conversation.messages.slice(done, said));
    const started = ports.now();
    const made = await make(given, input.session);
    const source = measure.messages(conversation.messages.slice(0, said));
    const result: StateResult = {
      ...blank(arm, at + 1),
      tokens: measure.conversation(made.view),
      tokensOfSource: source,
      calls: made.calls,
      usd: made.usd,
      ms: Math.round(ports.now() - started),
      invalid: made.invalid,
    };
    states.push(checked({ result, messages: made.view.messages, said, recalls: false }, input));
    view = made.view;
    done = said;
  }
  return states;
}

function candidateStates(maker: Maker): Promise<readonly State[]> {
  const { input, ports } = maker;
  const { compressor, focus, template } = input.candidate;
  return chained(maker, 'candidate', async (view, { format }) => {
    const tally: Tally = { calls: 0, usd: 0, problem: null };
    const options: CompactOptions = {
      ...optionsFor(maker, input.target),
      ...(focus === undefined ? {} : { focus }),
      ...(template === undefined ? {} : { template }),
      ...(compressor === null
        ? {}
        : { summarizer: singleSummarizer(askedModel(compressor, ports.asker, input.run, tally), ports.now) }),
    };
    const made = await compact(view, format, options);
    return { view: made.conversation, calls: tally.calls, usd: tally.usd, invalid: tally.problem ?? refusalOf(made) };
  });
}

function optionsFor({ ports, counts }: Maker, target: number): CompactOptions {
  const { counter, now, signal } = ports;
  return {
    counter,
    counts,
    now,
    target,
    // The target says what must fit; a window that is only assumed must not get in its way.
    window: Math.max(128_000, target * 2),
    openReasoning: 'strip',
    ...(signal === undefined ? {} : { signal }),
  };
}

function refusalOf({ outcome, receipt }: Compaction): string | null {
  return outcome === 'refused' ? `refused: ${receipt.reason}` : null;
}

/** How near the smallest target that condensing alone reaches is looked for. */
const CONDENSE_TRIES = 4;

/** Old output cut down and nothing folded: as far as that goes towards the target. */
async function condensed(maker: Maker, view: Conversation, { format }: EvalSession): Promise<Made> {
  const made = async (target: number): Promise<Compaction | null> => {
    const compaction = await compact(view, format, optionsFor(maker, target));
    return compaction.outcome === 'condensed' || compaction.outcome === 'trimmed' ? compaction : null;
  };
  const { target } = maker.input;
  let best = await made(target);
  let low = target;
  let high = maker.measure.conversation(view);
  if (high <= target) return { view, calls: 0, usd: 0, invalid: null };
  for (let tries = 0; best === null || (tries < CONDENSE_TRIES && low > target); tries++) {
    if (tries >= CONDENSE_TRIES) return { view, calls: 0, usd: 0, invalid: 'condensing alone saves nothing' };
    const middle = (low + high) >> 1;
    const found = await made(middle);
    if (found === null) low = middle;
    else {
      best = found;
      high = middle;
    }
  }
  return { view: best.conversation, calls: 0, usd: 0, invalid: null };
}

async function userStates(maker: Maker, arm: UserArm): Promise<readonly State[]> {
  const { input, ports, measure, cuts } = maker;
  const { conversation } = input.session;
  const states: State[] = [];
  let messages: readonly unknown[] = [];
  let broken: string | null = null;
  let done = 0;
  for (const [at, said] of cuts.entries()) {
    const started = ports.now();
    let view: readonly Message[] = [];
    try {
      if (broken !== null) throw new Error(broken);
      const added = ports.plain.to(withMessages(conversation, conversation.messages.slice(done, said)));
      const info = { fixture: input.fixture, target: input.target, pass: at + 1, passes: cuts.length, run: input.run };
      const given = await arm.compact([...messages, ...added], info);
      view = ports.plain.from(given).messages;
      if (view.length === 0) throw new Error('it gave back no messages');
      messages = given as readonly unknown[];
    } catch (error) {
      if (PrecisError.is(error) && error.code === 'aborted') throw error;
      broken = error instanceof Error ? error.message : String(error);
    }
    const result: StateResult = {
      arm: arm.name,
      role: 'candidate',
      pass: at + 1,
      tokens: measure.messages(view),
      tokensOfSource: measure.messages(conversation.messages.slice(0, said)),
      calls: 0,
      usd: null,
      ms: Math.round(ports.now() - started),
      invalid: broken === null ? null : `failed: ${broken.slice(0, 300)}`,
    };
    states.push(checked({ result, messages: view, said, recalls: false }, input));
    done = said;
  }
  return states;
}

/** A state that proves nothing is said to be invalid, and is not scored. */
function checked(state: State, { answererWindow }: StatesInput): State {
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
