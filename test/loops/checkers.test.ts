/** The checkers of the loops refuse what an API refuses, and take what it takes. */
import { describe, expect, it } from 'vitest';
import { checkers } from '../../bench/loops/checkers/all.ts';
import type { Checker } from '../../bench/loops/checkers/checker.ts';
import type { AssistantSaid, FormatId, Said, Wire } from '../../bench/loops/said.ts';
import { wires } from '../../bench/loops/wires/all.ts';

const USER: Said = { role: 'user', pieces: [{ type: 'text', text: 'Count the boats.' }] };

const step = (n: number, thought: string | null = null): AssistantSaid => ({
  role: 'assistant',
  thought,
  text: null,
  hosted: [],
  calls: [{ id: `c${n}`, tool: 'count', args: { pier: String(n) } }],
});
const results = (n: number): Said => ({
  role: 'results',
  results: [{ id: `c${n}`, tool: 'count', pieces: [{ type: 'text', text: `${n} boats` }] }],
});

const checkerFor = (format: FormatId): Checker => checkers[format]({ hasReminders: false });
const request = (format: FormatId, messages: readonly Wire[], isThinking = false): unknown =>
  wires[format].open({ system: 'Be exact.', tools: [], output: 10, isThinking, first: messages });

/** The messages of a session with steps that the server signed one after the other. */
function signedSteps(format: FormatId, checker: Checker, count: number): readonly Wire[] {
  const { write } = wires[format];
  let messages: readonly Wire[] = write(USER);
  for (let n = 1; n <= count; n++) {
    const signed = checker.sign(request(format, messages, true), write(step(n, `thought ${n}`)));
    messages = [...messages, ...signed, ...write(results(n))];
  }
  return messages;
}

const rulesOf = (faults: readonly string[]): readonly string[] => [
  ...new Set(faults.map((fault) => fault.split(':')[0] ?? '')),
];

describe.each(['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'langchain'] as const)(
  '%s',
  (format) => {
    const { write } = wires[format];
    const whole = [USER, step(1), results(1), step(2), results(2)].flatMap(write);

    it('takes calls with their results', () => {
      expect(checkerFor(format).check(request(format, whole))).toEqual([]);
    });

    it('refuses a result without its call, a call without its result, and an answer at the end', () => {
      const { check } = checkerFor(format);
      expect(check(request(format, [USER, results(1)].flatMap(write)))).not.toEqual([]);
      expect(check(request(format, [USER, step(1), USER].flatMap(write)))).not.toEqual([]);
      expect(check(request(format, [USER, { ...step(1), text: 'Done.', calls: [] }].flatMap(write)))).not.toEqual([]);
    });

    it('refuses empty words', () => {
      const empty: Said = { role: 'user', pieces: [{ type: 'text', text: '' }] };
      expect(
        checkerFor(format).check(
          request(format, [USER, step(1), results(1), { ...step(2), text: 'Done.', calls: [] }, empty].flatMap(write)),
        ),
      ).not.toEqual([]);
    });
  },
);

describe.each(['anthropic', 'ai-sdk'] as const)('signed thinking of %s', (format) => {
  it('may come back, and may be removed from the start', () => {
    const checker = checkerFor(format);
    const messages = signedSteps(format, checker, 3);
    expect(checker.check(request(format, messages, true))).toEqual([]);
    const closed = [
      ...messages,
      ...wires[format].write({ ...step(4), text: 'Done.', calls: [] }),
      ...wires[format].write(USER),
    ];
    expect(checker.check(request(format, [closed[0] as Wire, without(closed[1]), ...closed.slice(2)], true))).toEqual(
      [],
    );
  });

  it('is refused after a changed message, out of the middle, and when the open run lost its first block', () => {
    const checker = checkerFor(format);
    const messages = signedSteps(format, checker, 3);
    const changed = [
      ...wires[format].write({ ...USER, pieces: [{ type: 'text', text: 'Other words.' }] }),
      ...messages.slice(1),
    ];
    expect(rulesOf(checker.check(request(format, changed, true)))).toEqual(['ANT-5']);
    const gapped = messages.map((message, index) => (index === 3 ? without(message) : message));
    expect(rulesOf(checker.check(request(format, gapped, true)))).toEqual(['ANT-5']);
    const unopened = messages.map((message, index) => (index === 1 ? without(message) : message));
    expect(rulesOf(checker.check(request(format, unopened, true)))).toEqual(['ANT-4']);
  });

  it('is bound to the system prompt', () => {
    const checker = checkerFor(format);
    const whole = request(format, signedSteps(format, checker, 1), true) as Wire;
    expect(rulesOf(checker.check({ ...whole, system: 'Be quick.' }))).toEqual(['ANT-5']);
  });
});

/** A message without its thinking. */
function without(message: Wire | undefined): Wire {
  const blocks = message?.['content'] as readonly Wire[];
  return { ...message, content: blocks.filter(({ type }) => type !== 'thinking' && type !== 'reasoning') };
}

describe('signatures of Gemini', () => {
  it('must be on the calls of the current turn, and unchanged', () => {
    const checker = checkerFor('gemini');
    const contents = signedSteps('gemini', checker, 2);
    expect(checker.check(request('gemini', contents))).toEqual([]);
    const parts = (contents[3] as Wire)['parts'] as readonly Wire[];
    const bare = parts.map(({ thoughtSignature: _signature, ...part }) => part);
    const stripped = contents.map((content, index) => (index === 3 ? { ...content, parts: bare } : content));
    expect(rulesOf(checker.check(request('gemini', stripped)))).toEqual(['GEM-3']);
    const said = [
      ...stripped,
      { role: 'model', parts: [{ text: 'Done.' }] },
      { role: 'user', parts: [{ text: 'More.' }] },
    ];
    expect(checker.check(request('gemini', said))).toEqual([]);
  });
});

describe('reasoning of Responses', () => {
  it('stays with the item after it, both ways', () => {
    const checker = checkerFor('openai-responses');
    const items = signedSteps('openai-responses', checker, 2);
    expect(checker.check(request('openai-responses', items))).toEqual([]);
    const unreasoned = items.filter(({ type }) => type !== 'reasoning');
    expect(rulesOf(checker.check(request('openai-responses', unreasoned)))).toEqual(['RESP-2']);
    const lonely = items.filter(({ call_id }) => call_id !== 'c1');
    expect(rulesOf(checker.check(request('openai-responses', lonely)))).toEqual(['RESP-2']);
  });
});
