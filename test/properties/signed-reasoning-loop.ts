import { isRecord } from '../../bench/loops/checkers/checker.ts';
import { type AssistantSaid, type ResultsSaid, text, type Wire } from '../../bench/loops/said.ts';
import { wires } from '../../bench/loops/wires/all.ts';
import { type Context, type ContextOptions, memoryStore, openContext, type Prepared } from '../../src/index.ts';
import { type SignedWire, type SigningProvider, signingProvider, thoughtsIn } from './signed-reasoning-provider.ts';
import { linesOf, type ScriptedCall, type ScriptedStep, type SignedScript } from './signed-reasoning-script.ts';
import { FORMATS } from './support.ts';

/** One request of a loop, and what a law has to know about it. */
export interface Moment {
  /** Number of the request, from 0. */
  readonly at: number;
  readonly wire: SignedWire;
  /** The request as it was before `prepare`, and its tokens. */
  readonly before: unknown;
  readonly tokensBefore: number;
  readonly viewBefore: string | null;
  readonly view: string | null;
  readonly prepared: Prepared;
  readonly turn: OpenTurn;
  readonly context: Context;
}

/** The turn under way. */
export interface OpenTurn {
  /** Words that only the first request of the loop, and only the newest, hold. */
  readonly task: string;
  readonly asked: string;
  /** The thoughts of this turn, as bytes. */
  readonly thoughts: readonly string[];
  /** Those of the last answer, in whichever turn it was. */
  readonly newest: readonly string[];
  readonly callIds: readonly string[];
  /** Words that only the newest results hold; empty when somebody has just spoken. */
  readonly results: readonly string[];
}

export interface LoopInput {
  readonly wire: SignedWire;
  readonly script: SignedScript;
  readonly options?: Partial<ContextOptions>;
  /** Called before each `prepare`. */
  readonly meddle?: (stage: Stage, at: number) => Promise<void>;
  /** Called with each request that fits. */
  readonly look: (moment: Moment, provider: SigningProvider) => void | Promise<void>;
}

/** What somebody who meddles with a loop has in hand. */
export interface Stage {
  readonly context: () => Context;
  readonly reopen: () => Promise<void>;
  readonly wire: SignedWire;
  /** Refuses a request as the provider would. */
  readonly check: (prepared: Prepared, cause: string) => void;
}

const SYSTEM = 'You look after the harbour. Never sell the ferry.';
const TOOLS = ['read', 'run', 'write', 'plan'].map((name) => ({
  name,
  description: `Lets you ${name}.`,
  schema: { type: 'object', properties: { value: { type: 'string' } } },
}));
/** Tokens that are reserved for an answer. */
export const OUTPUT = 200;

/** Plays a loop against a provider that signs and checks. Throws when the provider would refuse a request. */
export async function playSignedLoop({ wire, script, options = {}, meddle, look }: LoopInput): Promise<void> {
  const provider = signingProvider(wire);
  const store = memoryStore();
  const models = [
    { id: 'wide', contextWindow: script.window, maxOutput: OUTPUT },
    { id: 'narrow', contextWindow: Math.floor(script.window * 0.7), maxOutput: OUTPUT },
  ];
  const open = (): Promise<Context> =>
    openContext({ id: 'loop', format: wire, models, policy: { fit: 'active' }, store, now: () => 5, ...options });
  let context = await open();
  const stage: Stage = {
    wire,
    context: () => context,
    async reopen() {
      await context.close();
      context = await open();
    },
    check: (prepared, cause) => refuseFaults(provider, prepared, cause),
  };
  const list = requestsOf(script);
  let turn: OpenTurn = { task: '', asked: '', thoughts: [], newest: [], callIds: [], results: [] };
  for (const [at, { said, step }] of list.entries()) {
    const messages = said.flatMap((each) => writeSaid(wire, each));
    const first = { system: SYSTEM, tools: TOOLS, output: OUTPUT, isThinking: true, first: messages };
    await context.append(at === 0 ? wires[wire].open(first) : messages);
    turn = turnAfter(turn, said);
    await meddle?.(stage, at);
    const before = FORMATS[wire].encode(context.conversation());
    const [tokensBefore, viewBefore] = [context.metrics().view.tokens, context.viewId()];
    const prepared = await context.prepare();
    if (!prepared.fits) break;
    refuseFaults(provider, prepared, `request ${at}: ${prepared.outcome}`);
    await look(
      { at, wire, before, tokensBefore, viewBefore, view: context.viewId(), prepared, turn, context },
      provider,
    );
    const isFresh = turn.results.length === 0 || !endsInResults(wire, prepared.request);
    const thinks = wire === 'gemini' || script.thinks === 'every-step' || isFresh;
    const answer = answerOf(step, { seed: script.seed + at, at, thinks });
    const signed = provider.sign(prepared.request, wires[wire].write(answer), thinks ? step.thought : null);
    await context.append(signed);
    const newest = thoughtsIn(wire, signed);
    turn = {
      ...turn,
      newest,
      thoughts: [...turn.thoughts, ...newest],
      callIds: [...turn.callIds, ...answer.calls.map(({ id }) => id)],
    };
  }
  await context.close();
}

function refuseFaults(provider: SigningProvider, { request, fits }: Prepared, cause: string): void {
  if (!fits) return;
  const faults = provider.faults(request);
  if (faults.length > 0) throw new Error(`${cause}: ${faults.join('; ')}`);
}

interface ScriptedRequest {
  /** What is said before the model answers. */
  readonly said: readonly Spoken[];
  /** What it answers; without calls the answer ends the turn. */
  readonly step: ScriptedStep;
}

type Spoken =
  | { readonly type: 'asked'; readonly words: string; readonly text: string }
  | { readonly type: 'reminded'; readonly text: string }
  | {
      readonly type: 'returned';
      readonly results: readonly {
        readonly call: ScriptedCall;
        readonly id: string;
        readonly words: string;
        readonly text: string;
      }[];
    };

function requestsOf({ turns, seed }: SignedScript): readonly ScriptedRequest[] {
  const requests: ScriptedRequest[] = [];
  for (const [number, { ask, steps, close }] of turns.entries()) {
    const words = `Request ${number} about quay${seed}x${number}.`;
    let said: readonly Spoken[] = [{ type: 'asked', words, text: `${words} ${linesOf(seed + number, ask)}` }];
    for (const step of steps) {
      const at = requests.length;
      requests.push({ said, step });
      const results = step.calls.map((call, index) => {
        const marker = `berth${seed}x${at}x${index}`;
        return {
          call,
          id: callId(at, index),
          words: marker,
          text: `${marker} ${linesOf(seed + at * 7 + index, call.result)}`.trimEnd(),
        };
      });
      said = [
        { type: 'returned', results },
        ...(step.reminder ? [{ type: 'reminded', text: `Mind the tide, note ${at}.` } as const] : []),
      ];
    }
    const ending: ScriptedStep = { thought: 'plain', thoughtChars: 60, text: close, calls: [], reminder: false };
    requests.push({ said, step: ending });
  }
  return requests;
}

function callId(at: number, index: number): string {
  return `toolu_${at}_${index}`;
}

function turnAfter(turn: OpenTurn, said: readonly Spoken[]): OpenTurn {
  const asked = said.find((each) => each.type === 'asked');
  const results = said.flatMap((each) => (each.type === 'returned' ? each.results.map(({ words }) => words) : []));
  if (asked === undefined) return { ...turn, results };
  return {
    task: turn.task || asked.words,
    asked: asked.words,
    thoughts: [],
    newest: turn.newest,
    callIds: [],
    results,
  };
}

function answerOf(
  step: ScriptedStep,
  { seed, at, thinks }: { seed: number; at: number; thinks: boolean },
): AssistantSaid {
  return {
    role: 'assistant',
    thought: thinks ? `thought ${at} ${linesOf(seed + 3, step.thoughtChars)}` : null,
    text: step.text === null ? null : `Words ${at} ${linesOf(seed + 5, step.text)}`,
    hosted: [],
    calls: step.calls.map(({ tool, argument }, index) => ({
      id: callId(at, index),
      tool,
      args: { value: `src/part${at % 5}.ts`, ...(argument > 20 ? { body: linesOf(seed + index, argument) } : {}) },
    })),
  };
}

function writeSaid(wire: SignedWire, said: Spoken): readonly Wire[] {
  switch (said.type) {
    case 'asked':
      return wires[wire].write({ role: 'user', pieces: [text(said.text)] });
    case 'reminded':
      return wires[wire].write({ role: 'reminder', text: said.text });
    case 'returned': {
      const results: ResultsSaid['results'] = said.results.map(({ call, id, text: value }) => ({
        id,
        tool: call.tool,
        pieces: [text(value)],
      }));
      const failed = new Set(said.results.flatMap(({ call, id }) => (call.failed ? [id] : [])));
      return withFailures(wires[wire].write({ role: 'results', results }), failed) as readonly Wire[];
    }
  }
}

/** Marks the results of failed calls in the way of each wire. */
function withFailures(value: unknown, failed: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withFailures(item, failed));
  if (!isRecord(value)) return value;
  if (value['type'] === 'tool_result' && failed.has(String(value['tool_use_id']))) return { ...value, is_error: true };
  if (value['type'] === 'tool-result' && failed.has(String(value['toolCallId'])) && isRecord(value['output']))
    return { ...value, output: { ...value['output'], type: 'error-text' } };
  const { response, id } = value;
  if (isRecord(response) && failed.has(String(id))) return { ...value, response: { error: response['output'] } };
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withFailures(field, failed)]));
}

function endsInResults(wire: SignedWire, request: unknown): boolean {
  const fields = isRecord(request) ? request : {};
  const list = (fields['messages'] ?? fields['input'] ?? fields['contents']) as readonly Wire[];
  const last = list.findLast(({ role }) => role !== 'system' && role !== 'developer');
  const key = {
    anthropic: '"tool_result"',
    'ai-sdk': '"tool-result"',
    'openai-responses': '_output"',
    gemini: '"functionResponse"',
  };
  return JSON.stringify(last).includes(key[wire]);
}
