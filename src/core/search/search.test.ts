import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/work/cpu-time.ts';
import { memoryStore } from '../../context/store/memory-store.ts';
import { fromPiece, toPiece } from '../../context/store/piece.ts';
import { parseBank } from '../../eval/probes/bank.ts';
import { o200k } from '../../models/o200k.ts';
import { readSession } from '../../sessions/read-text.ts';
import type { Message } from '../conversation/message.ts';
import { refOfPrefix, refOfResult } from '../conversation/ref.ts';
import { heuristicCounter } from '../tokens/counter.ts';
import { createChunker } from './chunks.ts';
import { type SearchSource, search } from './search.ts';

async function stored(messages: readonly Message[]): Promise<SearchSource> {
  const context = await memoryStore().open('test', 'write');
  const chunker = createChunker();
  const kept = messages.map((message) => ({ ...toPiece(message), at: 0, chunks: chunker(message) }));
  await context.commit({ messages: kept, events: [], state: null });
  return {
    search: context.search,
    messagesAt: async (indexes) => (await context.messagesAt(indexes)).map((piece) => fromPiece(piece) as Message),
  };
}

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });
const called = (id: string, name: string, args: object): Message => ({
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: id, name, arguments: JSON.stringify(args) }],
});
const result = (id: string, text: string): Message => ({
  role: 'tool',
  parts: [{ type: 'tool-result', callId: id, content: [{ type: 'text', text }], isError: false }],
});

const filler = Array.from({ length: 30 }, (_, n) =>
  assistant(`Step ${n}: the parser reads token ${n * 7} and goes on.`),
);
const session: readonly Message[] = [
  user('Please deploy the quotes service. Never use port 80.'),
  called('a', 'bash', { command: 'cat deploy/staging.yaml' }),
  result('a', 'service: quotes\nport: 8443\nreplicas: 3'),
  ...filler,
  called('b', 'bash', { command: 'npm run migrate' }),
  result('b', 'Error: relation "orders" already exists'),
  assistant('The migration failed because the orders table was created by hand.'),
  user('Then drop it first, and use the blue theme.'),
];

describe('a question', () => {
  test('is answered from what was said', async () => {
    const { hits } = await search('Why did the migration fail?', await stored(session));
    expect(hits[0]?.text).toContain('created by hand');
    expect(hits[0]).toMatchObject({ message: 36, role: 'assistant', score: 1 });
  });

  test('is answered from output, found by the words of the call', async () => {
    const { hits } = await search('Which port does the staging server use?', await stored(session));
    const hit = hits.find(({ message }) => message === 3);
    expect(hit).toMatchObject({ role: 'tool', tool: 'bash', text: expect.stringContaining('port: 8443') });
    expect(hit?.ref).toBe(refOfResult(session[2]?.parts[0] as never));
  });

  test('about the user is answered in the words of the user', async () => {
    const { hits } = await search(
      'What did the user say about the theme?',
      await stored([...session, assistant('The theme is fine, a theme of themes.')]),
    );
    expect(hits[0]).toMatchObject({ role: 'user', message: 37 });
  });

  test('finds what stands beside the words it shares', async () => {
    const { hits } = await search('What did the user answer about the orders table?', await stored(session));
    expect(hits.map(({ text }) => text).join('\n')).toContain('drop it first');
  });

  test('gets repeated output once, the last time it came', async () => {
    const text = 'listening on port 8443 with certificate staging';
    const context = await stored([
      called('a', 'run', {}),
      result('a', text),
      called('b', 'run', {}),
      result('b', text),
    ]);
    const { hits } = await search('certificate of the port', context);
    expect(hits.filter((hit) => hit.text === text)).toMatchObject([{ message: 4 }]);
  });

  test('gets output that differs in a number both times', async () => {
    const context = await stored([
      called('a', 'run', {}),
      result('a', 'certificate on port 8443'),
      called('b', 'run', {}),
      result('b', 'certificate on port 9443'),
    ]);
    const { hits } = await search('certificate port', context);
    expect(hits.map(({ message }) => message).sort()).toEqual([2, 4]);
  });

  test('without a word to search for says what to ask', async () => {
    for (const query of ['', '   ', 'what is it?', '???', '\ud800']) {
      const { hits, note } = await search(query, await stored(session));
      expect(hits).toEqual([]);
      expect(note).toMatch(/Ask with|Try other/);
    }
  });

  test('in an empty history finds nothing', async () => {
    expect(await search('port', await stored([]))).toMatchObject({
      hits: [],
      note: expect.stringContaining('Nothing'),
    });
  });
});

describe('an original', () => {
  const long = Array.from({ length: 2_000 }, (_, n) => `line ${n} of the log 😀`).join('\n');
  const messages = [user('Read the log.'), called('a', 'read', { path: 'log' }), result('a', long), assistant('Done.')];

  test('is given by number, piece by piece until its end', async () => {
    const context = await stored(messages);
    let text = '';
    for (let rounds = 0; rounds < 100; rounds++) {
      const { hits, note, tokens } = await search('#3', context, { tokens: 1_000, offset: text.length });
      expect(tokens).toBeLessThanOrEqual(1_000);
      text += hits[0]?.text ?? '';
      if (!note?.includes('offset')) break;
      expect(note).toContain(`offset ${text.length}`);
    }
    expect(text).toBe(long);
  });

  test.each(['⟦r:', 'r:'])('is given by its ref as %s', async (start) => {
    const ref = refOfResult(messages[2]?.parts[0] as never);
    const query = start === 'r:' ? ref.slice(1, -1) : ref;
    const { hits } = await search(query, await stored(messages), { tokens: 500 });
    expect(hits).toMatchObject([
      { message: 3, role: 'tool', tool: 'read', ref, text: expect.stringContaining('line 0') },
    ]);
  });

  test('of a handoff is the messages it stands for', async () => {
    const { hits } = await search(refOfPrefix(messages, 2), await stored(messages));
    expect(hits[0]?.text).toBe('#1 user: Read the log.\n\n#2 assistant: read {"path":"log"}');
  });

  test('that is not there is said not to be', async () => {
    const context = await stored(messages);
    expect(await search('#99', context)).toMatchObject({ hits: [], note: 'The history has no message #99.' });
    expect(await search('#0', context)).toMatchObject({ hits: [] });
    expect((await search('r:0000000000000', context)).note).toContain('⟦r:0000000000000⟧');
  });
});

describe('whatever is asked', () => {
  const query = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...'port error #3 r:12 migration 上下'.split(' ')),
    fc.lorem(),
  );

  test('the answer keeps its budget, is the same each time, and nothing throws', async () => {
    const context = await stored(session);
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.integer({ min: -5, max: 3_000 }),
        fc.integer({ min: -9, max: 50 }),
        async (text, tokens, offset) => {
          for (const counter of [heuristicCounter, o200k]) {
            const answer = await search(text, context, { tokens, offset, counter });
            expect(counter.count(JSON.stringify(answer))).toBeLessThanOrEqual(Math.max(200, tokens));
            expect(answer.tokens).toBeLessThanOrEqual(Math.max(200, tokens));
            expect(await search(text, context, { tokens, offset, counter })).toEqual(answer);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a very long question and lines of a megabyte are no trouble', async () => {
    const context = await stored([user(`needle ${'x'.repeat(1_000_000)}`), result('a', 'needle '.repeat(140_000))]);
    const ms = await cpuMsOf(async () => {
      const { hits } = await search(`needle ${'word '.repeat(100_000)}`, context, { counter: o200k });
      expect(hits.length).toBeGreaterThan(0);
    });
    expect(ms).toBeLessThan(10_000);
  });
});

test('one search finds most facts of the shipped sessions', async () => {
  const read = (path: string): string => readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url), 'utf8');
  const fold = (text: string): string => text.replaceAll(/\s+/g, ' ');
  let found = 0;
  let asked = 0;
  for (const [name, file] of [
    ['rate-limiter', 'session.json'],
    ['flight-change', 'session.json'],
    ['incident', 'session.jsonl'],
  ] as const) {
    const { conversation } = readSession(read(`${name}/${file}`), { name: file });
    const context = await stored(conversation.messages);
    const { probes } = parseBank(read(`${name}/probes.json`), { file: `${name}/probes.json` });
    for (const { question, expected } of probes.filter((probe) => probe.expected.length > 0)) {
      const { hits, tokens } = await search(question, context, { counter: o200k });
      expect(tokens).toBeLessThanOrEqual(1_500);
      const text = fold(hits.map((hit) => hit.text).join(' '));
      asked++;
      if (expected.every(({ value }) => text.includes(fold(value)))) found++;
    }
  }
  expect(asked).toBe(44);
  expect(found).toBeGreaterThanOrEqual(31);
});
