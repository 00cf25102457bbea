/** Hand-made traces and prices for tests: sizes are given, not counted, so that every figure can be computed by hand. */
import type { Message, Part } from '../../src/core/conversation/message.ts';
import type { CacheRules } from '../../src/replay/cache/rules/cache-rules.ts';
import type { Policy } from '../../src/replay/policies/policy.ts';
import type { Trace } from '../../src/replay/trace/trace.ts';

/** Prices of Anthropic at one dollar a token, so that dollars are tokens; no smallest size. */
export const plainRules: CacheRules = {
  id: 'plain',
  title: 'plain',
  asOf: '2026-10-31',
  mark: 'assumed',
  usdPerMillionInput: 1_000_000,
  read: 0.1,
  write: 1.25,
  output: 5,
  ttlMs: 300_000,
  refreshOnHit: true,
  minTokens: 0,
  granularity: 1,
  lookbackBlocks: null,
  writeBreakpoints: 4,
  hitProbability: 1,
  tiers: [],
};

export function text(role: Message['role'], words: string): Message {
  return { role, parts: [{ type: 'text', text: words }] };
}

export function call(callId: string, name: string, args: object): Message {
  const part: Part = { type: 'tool-call', callId, name, arguments: JSON.stringify(args) };
  return { role: 'assistant', parts: [part] };
}

export function result(callId: string, words: string): Message {
  return {
    role: 'tool',
    parts: [{ type: 'tool-result', callId, content: [{ type: 'text', text: words }], isError: false }],
  };
}

/** A trace of messages with their sizes, a request every minute unless times are given. */
export function handMade(
  said: readonly (readonly [Message, number])[],
  { fixedTokens = 0, times = [] }: { readonly fixedTokens?: number; readonly times?: readonly number[] } = {},
): Trace {
  const messages = said.map(([message]) => message);
  const answers = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  return {
    name: 'hand-made',
    conversation: { format: 'openai-chat', messages },
    tokens: said.map(([, tokens]) => tokens),
    fixedTokens,
    requests: answers.map((answer, index) => ({
      at: times[index] ?? index * 60_000,
      from: answers[index - 1] ?? 0,
      to: answer,
      outputTokens: said[answer]?.[1] ?? 0,
      isLegalCut: true,
      recorded: null,
    })),
    hasTimes: true,
  };
}

/** A session that reads a file of so many tokens before every answer. */
export function reading(steps: number, tokens: number): Trace {
  const said: (readonly [Message, number])[] = [[text('user', 'Find the fault and mend it.'), 100]];
  for (let step = 0; step < steps; step++) {
    said.push([call(`c${step}`, 'bash', { command: `make part-${step}` }), 50]);
    said.push([result(`c${step}`, `part ${step} built\n${`line ${step} `.repeat(tokens / 4)}`), tokens]);
  }
  said.push([text('assistant', 'Mended.'), 20]);
  return handMade(said);
}

/** A policy of one change before one request. */
export function once(request: number, change: NonNullable<ReturnType<ReturnType<Policy['start']>['before']>>): Policy {
  return {
    id: 'once',
    title: 'once',
    note: 'One change.',
    start: () => ({ before: (view) => (view.request === request ? change : null) }),
  };
}
