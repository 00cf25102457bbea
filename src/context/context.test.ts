import { describe, expect, it } from 'vitest';
import { anthropicTurn, SYSTEM, turn, turns, type Wire } from '../../test/agent-wire.ts';
import type { Message } from '../core/conversation/message.ts';
import { refOfResult, refsIn } from '../core/conversation/ref.ts';
import { PrecisError } from '../core/errors.ts';
import { singleSummarizer } from '../core/model.ts';
import { isHandoff } from '../core/record/handoff/handoff-message.ts';
import { openaiChat } from '../formats/index.ts';
import { behave, scriptedModel } from '../testing/index.ts';
import { openContext } from './open.ts';
import { memoryStore } from './store/memory-store.ts';
import type { Store } from './store/store.ts';
import { diffText } from './timeline/diff.ts';

const WINDOW = 8_000;

const opened = (store = memoryStore(), id = 'agent') => openContext({ id, store, window: WINDOW, now: () => 1_000 });

describe('a living context', () => {
  it('gives back what was appended, the very objects, while it fits', async () => {
    await using context = await opened();
    const wire = [SYSTEM, ...turn(1)];
    await context.append(wire);
    const { request, outcome, fits } = await context.prepare();
    expect(request).toEqual(wire);
    expect((request as Wire[])[1]).toBe(wire[1]);
    expect({ outcome, fits }).toEqual({ outcome: 'unchanged', fits: true });
    expect((await context.prepare()).request).toBe(request);
  });

  it('reads a result that comes after its call', async () => {
    await using context = await opened();
    const messages = [SYSTEM, ...turn(1)];
    for (const message of messages) expect((await context.append(message)).notes).toEqual([]);
    expect((await context.prepare()).request).toEqual(messages);
  });

  it('believes the host about who speaks, also when it is opened again and sent everything again', async () => {
    const store = memoryStore();
    const said = [SYSTEM, { role: 'user', content: 'Port the shop.' }, { role: 'assistant', content: 'Well.' }];
    const nudge = { role: 'user', content: 'Please go on.' };
    const speakersOf = (context: { conversation(): { readonly messages: readonly Message[] } }) =>
      context.conversation().messages.map(({ speaker }) => speaker);
    const first = await opened(store);
    await first.append(said);
    await first.append(nudge, { by: 'host' });
    expect(speakersOf(first)).toEqual([undefined, undefined, undefined, 'host']);
    await first.close();
    await using again = await opened(store);
    const { request } = await again.apply(structuredClone([...said, nudge]));
    expect(request).toEqual([...said, nudge]);
    expect(speakersOf(again)).toEqual([undefined, undefined, undefined, 'host']);
    await expect(again.append(nudge, { by: 'robot' as 'host' })).rejects.toThrow('`by` to be one of human, host');
  });

  it('mends a call that was never answered once the user goes on', async () => {
    await using context = await opened();
    const [user, call] = turn(1);
    await context.append([SYSTEM, user, call]);
    const { notes } = await context.append({ role: 'user', content: 'Forget it.' });
    expect(notes[0]?.text).toContain('has no result and was removed');
    const { request } = await context.prepare();
    expect((request as Wire[]).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(request)).not.toContain('tool_calls');
  });

  it('compacts by itself when the threshold is passed, and stays below it', async () => {
    await using context = await opened();
    await context.append(SYSTEM);
    const sizes: number[] = [];
    for (let n = 1; n <= 40; n++) {
      await context.append(turn(n));
      sizes.push((await context.prepare()).tokens);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(6_000);
    expect(context.compactions().length).toBeGreaterThanOrEqual(3);
    expect(context.conversation().messages.some(isHandoff)).toBe(true);
    expect(JSON.stringify((await context.prepare()).request)).toContain('Never delete a log');
  });

  it('undoes a compaction byte for byte, and does not do it again at once', async () => {
    await using context = await opened();
    await context.append([SYSTEM, ...turns(1, 5)]);
    const before = JSON.stringify((await context.prepare()).request);
    const { outcome } = await context.compact({ target: 900 });
    expect(outcome).not.toBe('unchanged');
    expect(JSON.stringify((await context.prepare()).request)).not.toBe(before);
    await context.undo();
    expect(JSON.stringify((await context.prepare()).request)).toBe(before);
    await context.restore('c1');
    expect((await context.prepare()).tokens).toBeLessThanOrEqual(900);
    await context.restore(null);
    expect(JSON.stringify((await context.prepare()).request)).toBe(before);
    expect(await opened().then((other) => other.undo())).toBeNull();
  });

  it('is the same after a restart between any two calls', async () => {
    const store = memoryStore();
    const calls = [...Array(25).keys()].map((n) => turn(n + 1));
    const plain = await opened(memoryStore());
    let restarted = await opened(store);
    for (const context of [plain, restarted]) await context.append(SYSTEM);
    for (const [index, wire] of calls.entries()) {
      const views: unknown[] = [];
      for (const which of ['plain', 'restarted'] as const) {
        const again = async () => {
          if (which === 'plain') return plain;
          await restarted.close();
          restarted = await opened(store);
          return restarted;
        };
        await (await again()).append(wire);
        views.push((await (await again()).prepare()).request);
        await (await again()).observe({ prompt_tokens: 900 + index * 10, completion_tokens: 20 });
        if (index === 15) await (await again()).undo();
      }
      expect(JSON.stringify(views[1])).toBe(JSON.stringify(views[0]));
    }
    expect(plain.metrics()).toEqual(restarted.metrics());
  });

  it('trims huge results as they come in, and recalls the whole', async () => {
    await using context = await openContext({ id: 'a', window: 100_000, now: () => 0 });
    const wire = [SYSTEM, ...turn(1, 3_000)];
    await context.append(wire);
    const { request, tokens } = await context.prepare();
    expect(tokens).toBeLessThan(6_000);
    const shown = String((request as Wire[])[3]?.['content']);
    const ref = /⟦r:[0-9a-f]{13}⟧/.exec(shown)?.[0] ?? '';
    const whole: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const part = await context.recall(ref, { offset, tokens: 10_000 });
      whole.push(part.hits[0]?.text ?? '');
      offset = part.nextOffset ?? null;
    }
    expect(whole.join('')).toBe(wire[3]?.['content']);
  });

  it('speaks Anthropic when it is spoken to in Anthropic, system and all', async () => {
    await using context = await opened();
    const wire = { model: 'claude', system: 'Never delete a log.', max_tokens: 5, messages: anthropicTurn(1) };
    await context.append(wire);
    for (let n = 2; n <= 8; n++) await context.append(anthropicTurn(n));
    const { request, outcome } = await context.compact({ target: 1_500 });
    expect(outcome).not.toBe('unchanged');
    const { model, system, max_tokens, messages } = request as typeof wire;
    expect({ model, system, max_tokens }).toEqual({ model: 'claude', system: wire.system, max_tokens: 5 });
    expect(messages.at(-1)).toEqual(anthropicTurn(8).at(-1));
    await context.undo();
    expect(((await context.prepare()).request as typeof wire).messages).toHaveLength(32);
  });

  it('finds out the format while little was said', async () => {
    await using context = await opened();
    for (const message of anthropicTurn(1)) await context.append(message);
    expect((await context.prepare()).request).toEqual(anthropicTurn(1));
    expect(context.conversation().format).toBe('anthropic');
  });

  it('says what went with a compaction, as data and for people', async () => {
    await using context = await opened();
    await context.append([SYSTEM, ...turns(1, 6)]);
    await context.compact({ target: 700 });
    const diff = context.diff();
    expect(diff.dropped.map(({ number, change }) => `${number} ${change}`)).toContain('4 folded');
    expect(diff.tokens.after).toBeLessThan(diff.tokens.before);
    for (const { ref } of diff.dropped) expect(context.original(ref)).not.toBeNull();
    expect(diffText(diff)).toMatch(/#4 tool bash folded, \d+ → 0 tokens ⟦r:[0-9a-f]{13}⟧\n {4}line 0 of run 1/);
    expect(() => context.diff('c9')).toThrow('Expected the id of a compaction (c1), got `c9`');
  });

  it('keeps a pinned message word for word', async () => {
    await using context = await opened();
    await context.append([SYSTEM, ...turns(1, 10)]);
    await context.pin(4);
    await context.compact({ target: 2_000 });
    expect((await context.prepare()).request).toContainEqual(turn(1)[2]);
    await context.unpin(4);
    await context.compact({ target: 1_200 });
    expect((await context.prepare()).request).not.toContainEqual(turn(1)[2]);
    await expect(context.pin(500)).rejects.toThrow('Expected the number of a message, 1 to 41, got `500`');
  });

  it('takes what is said during a compaction in order, and drops a result that comes too late', async () => {
    const model = scriptedModel(behave.slow({ firstByteMs: 40 }));
    const summarizer = singleSummarizer(model);
    await using context = await openContext({ id: 'a', window: 40_000, summarizer });
    await context.append([SYSTEM, ...turns(1, 10)]);
    const compacting = context.compact({ target: 1_500 });
    await Promise.resolve();
    await context.append(turn(11));
    await compacting;
    const view = (await context.prepare()).request as Wire[];
    expect(view.slice(-4)).toEqual(turn(11));
    expect(context.compactions()).toHaveLength(1);

    await context.append(turns(12, 20));
    const late = context.compact({ target: 1_500 });
    await Promise.resolve();
    await context.undo();
    expect((await late).reason).toBe('the view changed while it was being compacted');
    expect((await context.prepare()).request).toEqual([SYSTEM, ...turns(1, 20)]);
  });
});

describe('models of a context', () => {
  const LARGE = { id: 'large', contextWindow: 200_000, maxOutput: 4_000 };
  const SMALL = { id: 'small', contextWindow: 10_000, maxOutput: 1_000 };

  it('fits the smallest of the chain, or the one in use', async () => {
    for (const [fit, compactions] of [
      ['smallest', 1],
      ['active', 0],
    ] as const) {
      await using context = await openContext({ id: 'a', models: [LARGE, SMALL], policy: { fit } });
      await context.append([SYSTEM, ...turns(1, 20)]);
      await context.prepare();
      expect(context.compactions()).toHaveLength(compactions);
      const { fits, tokens } = await context.useModel('small');
      expect({ fits, small: tokens <= 9_000, compactions: context.compactions().length }).toEqual({
        fits: true,
        small: true,
        compactions: 1,
      });
    }
  });

  it('says why a switch cannot fit', async () => {
    await using context = await openContext({ id: 'a', models: [LARGE], policy: { fit: 'active' } });
    await context.append([
      { role: 'system', content: 'x '.repeat(8_000) },
      { role: 'user', content: 'Go on.' },
    ]);
    const { fits, outcome, reason } = await context.useModel({ id: 'tiny', contextWindow: 1_000, maxOutput: 100 });
    expect({ fits, outcome }).toEqual({ fits: false, outcome: 'refused' });
    expect(reason).toContain('every message is protected');
    await expect(context.useModel('nobody')).rejects.toThrow('Expected a model of the chain (large, tiny)');
  });

  it('learns the window from an overflow, compacts, and says to send it again', async () => {
    await using context = await openContext({ id: 'a', models: [LARGE] });
    await context.append([SYSTEM, ...turns(1, 40)]);
    await context.prepare();
    const error = Object.assign(
      new Error(
        "This model's maximum context length is 16000 tokens. However, your messages resulted in 25000 tokens.",
      ),
      { status: 400 },
    );
    const { action, prepared, failure } = await context.fallback(error);
    expect({ action, kind: failure.kind, learned: failure.learnedWindow }).toEqual({
      action: 'retry',
      kind: 'overflow',
      learned: 16_000,
    });
    expect(prepared?.tokens).toBeLessThan(12_000);
    // What was learned stays.
    await context.append(turns(41, 80));
    expect((await context.prepare()).tokens).toBeLessThan(12_000);
  });

  it('goes to the next model after another failure, and gives up after the last', async () => {
    const switched: string[] = [];
    await using context = await openContext({ id: 'a', models: [LARGE, SMALL], policy: { fit: 'active' } });
    context.on('model:switched', ({ from, to }) => switched.push(`${from} to ${to}`));
    await context.append([SYSTEM, ...turns(1, 40)]);
    const error = Object.assign(new Error('overloaded'), { status: 529 });
    const first = await context.fallback(error);
    expect({ action: first.action, model: first.model, fits: first.prepared?.fits }).toEqual({
      action: 'switch',
      model: 'small',
      fits: true,
    });
    expect((await context.fallback(error)).action).toBe('give-up');
    expect(switched).toEqual(['large to small']);
  });

  it('corrects its counts by what the provider says, for each model by itself', async () => {
    await using context = await openContext({ id: 'a', models: [LARGE, SMALL], policy: { fit: 'active' } });
    await context.append([SYSTEM, ...turns(1, 8)]);
    const { tokens } = await context.prepare();
    const tools = 2_000;
    const said = (size: number): object => ({ input_tokens: 10, cache_read_input_tokens: size - 10, output_tokens: 5 });
    await context.observe(said(tokens * 1.5 + tools));
    expect((await context.prepare()).tokens).toBe(Math.ceil(tokens * 1.5 + tools));
    // How growth is counted tells what a token is, and what is sent beside the messages.
    await context.append(turns(9, 16));
    await context.prepare();
    await context.observe(said(tokens * 3 + tools));
    await context.append(turns(17, 24));
    const { tokens: grown } = await context.prepare();
    expect(grown / (tokens * 4.5 + tools)).toBeGreaterThan(0.97);
    await context.compact({ target: 6_000 });
    expect((await context.prepare()).tokens).toBeLessThan(6_000 + tools);
    expect((await context.useModel('small')).tokens).toBeLessThan(6_000);
  });
});

describe('a context of a host that sends everything each time', () => {
  it('gives the same view byte for byte as long as the list only grows', async () => {
    await using context = await opened();
    const fresh = (to: number): readonly Wire[] => JSON.parse(JSON.stringify([SYSTEM, ...turns(1, to)]));
    let before: readonly unknown[] = [];
    let kept = 0;
    for (let n = 1; n <= 40; n++) {
      const { request, outcome } = await context.apply(fresh(n));
      const view = (request as Wire[]).map((message) => JSON.stringify(message));
      if (outcome === 'unchanged') {
        expect(view.slice(0, before.length)).toEqual(before);
        kept++;
      }
      before = view;
      expect((await context.apply(fresh(n))).request).toEqual(request);
    }
    expect(kept).toBeGreaterThan(30);
  });

  it('sends the newest objects, whose cache markers may have moved', async () => {
    await using context = await opened();
    const marked = (to: number): readonly Wire[] => {
      const wire = Array.from({ length: to }, (_, index) => anthropicTurn(index + 1, 3)).flat();
      const marker = { cache_control: { type: 'ephemeral' } };
      return wire.map((message, index) =>
        index < wire.length - 1 ? message : { role: 'assistant', content: [{ type: 'text', text: 'x', ...marker }] },
      );
    };
    await context.apply(marked(1));
    for (let n = 2; n < 9; n++) {
      const list = [
        ...marked(n).slice(0, -1),
        { role: 'assistant', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] },
      ];
      const { request } = await context.apply(list);
      expect(JSON.stringify(request).split('cache_control')).toHaveLength(2);
    }
  });

  it('follows a host that goes back, and still finds what it left', async () => {
    await using context = await opened();
    await context.apply([SYSTEM, ...turns(1, 12)]);
    await context.compact({ target: 1_500 });
    const { request } = await context.apply([SYSTEM, ...turns(1, 2), ...turn(99)]);
    expect(request).toEqual([SYSTEM, ...turns(1, 2), ...turn(99)]);
    const { conversation } = openaiChat.decode([SYSTEM, ...turns(1, 12)]);
    const output = conversation.messages[39]?.parts[0];
    if (output?.type !== 'tool-result') throw new Error('expected a result');
    expect(context.original(refOfResult(output))).not.toBeNull();
  });
});

describe('what a context tells', () => {
  it('tells pressure once per level and climb, with the turns that are left', async () => {
    await using context = await opened();
    const told: string[] = [];
    context.on('pressure', ({ level, turnsLeft }) => told.push(`${level} ${turnsLeft !== null && turnsLeft < 20}`));
    await context.append(SYSTEM);
    while (context.compactions().length < 2) {
      await context.append(turn(told.length * 100 + context.metrics().turns));
      await context.prepare();
    }
    expect(told.slice(0, 3)).toEqual(['0.6 true', '0.75 true', '0.85 true']);
    expect(told.filter((each) => each === '0.75 true').length).toBe(2);
  });

  it('is not harmed by listeners that throw', async () => {
    await using context = await opened();
    const seen: string[] = [];
    for (const name of ['compaction:start', 'compaction:end'] as const) {
      context.on(name, () => {
        throw new Error('broken listener');
      });
      context.on(name, () => seen.push(name));
    }
    const off = context.on('compaction:end', () => seen.push('off'));
    off();
    await context.append([SYSTEM, ...turns(1, 10)]);
    await context.compact({ target: 1_500 });
    expect(seen).toEqual(['compaction:start', 'compaction:end']);
  });

  it('counts what it did', async () => {
    await using context = await opened();
    let total = 0;
    await context.append(SYSTEM);
    for (let n = 1; n <= 40; n++) {
      await context.append(turn(n));
      const { tokens } = await context.prepare();
      total += tokens;
      await context.observe({
        prompt_tokens: tokens,
        prompt_tokens_details: { cached_tokens: 600 },
        completion_tokens: 10,
      });
    }
    const { turns: requests, compactions, promptTokens, ratios, turnsBetween, lastOutcome } = context.metrics();
    expect({ requests, promptTokens }).toEqual({
      requests: 40,
      promptTokens: { total, cached: 24_000, written: 0, uncached: total - 24_000, output: 400 },
    });
    expect(ratios).toHaveLength(compactions);
    expect(turnsBetween?.mean).toBeGreaterThan(1);
    expect(lastOutcome).not.toBeNull();
    expect(() => JSON.stringify(context.metrics())).not.toThrow();
  });

  it('works on from memory when the store fails, and writes what was missed as soon as it can', async () => {
    const store = memoryStore();
    let isFull = false;
    const failing: Store = {
      ...store,
      open: async (id, access) => {
        const stored = await store.open(id, access);
        return {
          ...stored,
          commit: (batch) => (isFull ? Promise.reject(new PrecisError('store', 'disk full')) : stored.commit(batch)),
        };
      },
    };
    const context = await openContext({ id: 'a', store: failing, window: WINDOW });
    const errors: number[] = [];
    context.on('store:error', ({ waiting }) => errors.push(waiting));
    await context.append([SYSTEM, ...turn(1)]);
    isFull = true;
    expect((await context.append(turn(2))).stored).toBe(false);
    expect((await context.prepare()).request).toEqual([SYSTEM, ...turns(1, 2)]);
    expect(errors[0]).toBe(4);
    isFull = false;
    expect((await context.append(turn(3))).stored).toBe(true);
    await context.close();
    await using again = await openContext({ id: 'a', store, window: WINDOW });
    expect((await again.prepare()).request).toEqual([SYSTEM, ...turns(1, 3)]);
  });

  it('lets others read what one writes', async () => {
    const store = memoryStore();
    await using writer = await openContext({ id: 'a', store, window: WINDOW });
    await expect(openContext({ id: 'a', store })).rejects.toThrow('open for writing already');
    await writer.append([SYSTEM, ...turns(1, 10)]);
    await using reader = await openContext({ id: 'a', store, access: 'read', window: 100_000 });
    expect((await reader.prepare()).request).toEqual((await writer.prepare()).request);
    await writer.compact({ target: 1_500 });
    await writer.append(turn(11));
    await reader.refresh();
    expect((await reader.prepare()).request).toEqual((await writer.prepare()).request);
    await expect(reader.append(turn(12))).rejects.toThrow('was opened for reading');
  });

  it('hides secrets before they are stored, when asked to', async () => {
    const store = memoryStore();
    const secret = [
      'sk',
      'ant',
      'api03',
      Array.from({ length: 90 }, (_, n) => (n * 7919).toString(36).at(-1)).join(''),
    ].join('-');
    await using context = await openContext({ id: 'a', store, window: WINDOW, redact: true });
    await context.append([SYSTEM, { role: 'user', content: `The key is ${secret}` }]);
    const reader = await store.open('a', 'read');
    expect(JSON.stringify(await reader.load())).not.toContain(secret);
    expect(JSON.stringify((await context.prepare()).request)).toContain(secret);
  });
});

describe('what a review found', () => {
  it('makes room where what must stay is larger than the usual target', async () => {
    await using context = await openContext({ id: 'a', window: 8_000 });
    await context.append([SYSTEM, ...turns(1, 12), { role: 'user', content: 'word '.repeat(3_300) }]);
    const { outcome, fits } = await context.prepare();
    expect({ outcome, fits }).toEqual({ outcome: 'folded', fits: true });
  });

  it('changes nothing when a message cannot be stored', async () => {
    const store = memoryStore();
    const context = await openContext({ id: 'a', store, window: 20_000 });
    await context.append([SYSTEM, ...turns(1, 3)]);
    await expect(context.append({ role: 'user', content: 'X', at: new Date() })).rejects.toThrow('of class Date');
    // Neither a call that was open nor the format is touched by what is refused.
    const bad = { role: 'user', content: 'X', at: new Date() };
    await context.append(turn(4).slice(0, 2));
    await expect(context.append(bad)).rejects.toThrow('of class Date');
    await expect(context.append([...anthropicTurn(5), bad])).rejects.toThrow();
    await context.append(turn(4).slice(2));
    await context.append(turns(5, 6));
    expect((await context.prepare()).request).toEqual([SYSTEM, ...turns(1, 6)]);
    await context.compact({ target: 1_500 });
    const { request } = await context.prepare();
    await context.close();
    await using again = await openContext({ id: 'a', store, window: 20_000 });
    expect((await again.prepare()).request).toEqual(request);
    expect(again.conversation().history).toHaveLength(25);
  });

  it('lives with a learned window that is too small for the sizes it was given', async () => {
    const models = [{ id: 'm', contextWindow: 100_000, maxOutput: 4_000 }];
    const error = new Error("This model's maximum context length is 16384 tokens.");
    for (const policy of [{ reservedOutput: 20_000 }, { target: 20_000 }]) {
      await using context = await openContext({ id: 'a', models, policy });
      await context.append([SYSTEM, ...turns(1, 40)]);
      expect((await context.fallback(error)).action).toBe('retry');
      expect((await context.prepare()).tokens).toBeLessThan(16_384);
    }
  });

  it('counts messages as the handoff does, also after the host went back', async () => {
    await using context = await opened();
    for (const message of anthropicTurn(1)) await context.append(message);
    for (let n = 2; n <= 3; n++) await context.append(anthropicTurn(n));
    expect((await context.recall('#5')).hits[0]?.text).toContain('Question 2');
    await using other = await opened();
    await other.apply([SYSTEM, ...turns(1, 5)]);
    await other.apply([SYSTEM, ...turn(1), ...turns(8, 9)]);
    expect((await other.recall('#6')).hits[0]?.text).toContain('Question 8');
    expect((await other.recall('value of run 4')).hits.map(({ text }) => text).join()).not.toContain('run 4 is');
  });

  it('finds out the format however long plain text was spoken', async () => {
    await using context = await opened();
    for (let n = 1; n <= 4; n++)
      await context.append([
        { role: 'user', content: `Hello ${n}` },
        { role: 'assistant', content: `Hi ${n}` },
      ]);
    for (let n = 1; n <= 40; n++) {
      await context.append(anthropicTurn(n));
      expect((await context.prepare()).fits).toBe(true);
    }
    expect(context.conversation().format).toBe('anthropic');
  });

  it('finds out the format of whole lists as well', async () => {
    await using context = await opened();
    const said: unknown[] = [{ role: 'user', content: 'Hello' }];
    await context.apply({ max_tokens: 9, messages: said });
    for (let n = 1; n <= 3; n++) {
      said.push(...anthropicTurn(n));
      expect((await context.apply({ max_tokens: 9, messages: said })).fits).toBe(true);
    }
    expect(context.conversation().format).toBe('anthropic');
  });

  it('keeps its view while plain text follows a request whose settings show the format', async () => {
    await using context = await opened();
    const words = (n: number): string => Array.from({ length: 80 }, (_, at) => `route ${n}.${at} is open`).join('; ');
    await context.append({ system: 'You sort routes.', messages: [{ role: 'user', content: 'Sort them.' }] });
    for (let n = 1; context.viewId() === null; n++) {
      await context.append({ role: 'assistant', content: words(n) });
      await context.append({ role: 'user', content: `Go on with ${n}.` });
      await context.prepare();
    }
    const view = context.viewId();
    await context.append({ role: 'assistant', content: 'Sorted.' });
    await context.append({ role: 'user', content: 'Thanks.' });
    expect(context.viewId()).toBe(view);
    expect((await context.prepare()).outcome).toBe('unchanged');
  });

  it('takes an item of an unknown type after plain text', async () => {
    await using context = await opened();
    await context.append({ instructions: 'You sort routes.', input: [{ role: 'user', content: 'Sort them.' }] });
    const item = { type: 'route_map', id: 'rm_1', roads: ['a', 'b'] };
    await context.append(item);
    expect((await context.prepare()).request).toMatchObject({ input: [{ role: 'user' }, item] });
  });

  it('sends the settings of the newest request, and keeps them when the format turns out to be another', async () => {
    await using context = await opened();
    const request = (model: string, to: number): object => ({
      model,
      tools: [model],
      messages: [SYSTEM, ...turns(1, to)],
    });
    await context.apply(request('A', 1));
    expect((await context.apply(request('B', 2))).request).toEqual(request('B', 2));
    await using other = await opened();
    await other.append({ model: 'claude', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] });
    await other.append(anthropicTurn(1).slice(1));
    expect((await other.prepare()).request).toMatchObject({ model: 'claude', max_tokens: 9 });
  });

  it('takes another system prompt for the same conversation', async () => {
    const store = memoryStore();
    await using context = await openContext({ id: 'a', store, window: WINDOW });
    for (let n = 1; n <= 30; n++) {
      const system = { role: 'system', content: `Today is day ${n}.` };
      const { request } = await context.apply([system, ...turns(1, n)]);
      expect((request as Wire[])[0]).toEqual(system);
    }
    expect((await store.contexts())[0]?.messages).toBe(121);
    expect(context.compactions().length).toBeLessThan(6);
  });

  it('goes back to the view that was there before, not to one that was undone', async () => {
    await using context = await openContext({ id: 'a', window: 100_000 });
    await context.apply([SYSTEM, ...turns(1, 10)]);
    await context.compact({ target: 1_500 });
    await context.undo();
    await context.apply([SYSTEM, ...turns(1, 20)]);
    await context.compact({ target: 1_500 });
    const { request } = await context.apply([SYSTEM, ...turns(1, 12)]);
    expect(request).toEqual([SYSTEM, ...turns(1, 12)]);
  });

  it('keeps its compactions when a call is given up', async () => {
    await using context = await openContext({ id: 'a', window: 100_000 });
    await context.append([SYSTEM, ...turns(1, 10), ...turn(11).slice(0, 2)]);
    await context.compact({ target: 2_000 });
    await context.append({ role: 'user', content: 'Leave it.' });
    expect(context.viewId()).toBe('c1');
    const view = JSON.stringify((await context.prepare()).request);
    expect(view).not.toContain('call_11');
  });

  it('keeps refs and the recognised beginning when secrets are hidden', async () => {
    const store = memoryStore();
    const secret = ['ghp', Array.from({ length: 36 }, (_, n) => ((n * 7919) % 36).toString(36)).join('')].join('_');
    const [user, call, result, answer] = turn(1, 300);
    const wire = [
      SYSTEM,
      user,
      call,
      { ...result, content: `${secret}\n${result?.['content']}` },
      answer,
      ...turns(2, 9),
    ];
    const options = { id: 'a', store, window: 100_000, redact: true, trim: { tokens: 500 } };
    const context = await openContext(options);
    await context.apply(wire);
    await context.compact({ target: 2_000 });
    const refs = refsIn(JSON.stringify((await context.prepare()).request));
    await context.close();
    await using again = await openContext(options);
    for (const ref of refs) expect(again.original(ref)).not.toBeNull();
    await again.apply(wire);
    expect(again.compactions()).toHaveLength(1);
    expect((await store.contexts())[0]?.messages).toBe(wire.length);
  });

  it('never takes a window for larger than it knew', async () => {
    await using context = await openContext({ id: 'a' });
    await context.append([SYSTEM, ...turns(1, 5)]);
    const before = context.metrics().view.threshold;
    await context.fallback(new Error('prompt is too long: 140000 tokens > 128000 maximum'));
    expect(context.metrics().view.threshold).toBeLessThanOrEqual(before);
  });

  it('does not let a reader change anything, and takes in what was written once', async () => {
    const store = memoryStore();
    await using writer = await openContext({ id: 'a', store, window: WINDOW });
    await writer.append([SYSTEM, ...turn(1)]);
    await using reader = await openContext({ id: 'a', store, access: 'read', window: WINDOW });
    await writer.append(turn(2));
    await Promise.all([reader.refresh(), reader.refresh()]);
    expect((await reader.prepare()).request).toEqual([SYSTEM, ...turns(1, 2)]);
    await expect(reader.useModel({ id: 'x', contextWindow: 500, maxOutput: 1 })).rejects.toThrow('opened for reading');
    await expect(reader.fallback(new Error('x'))).rejects.toThrow('opened for reading');
  });

  it('says when it is closed, and when what was said could not be kept', async () => {
    const context = await opened();
    await context.append([SYSTEM, ...turn(1)]);
    await context.close();
    await expect(context.append(turn(2))).rejects.toThrow('context agent is closed');
    const store = memoryStore();
    const broken: Store = {
      ...store,
      open: async (id, access) => ({
        ...(await store.open(id, access)),
        commit: () => Promise.reject(new PrecisError('store', 'disk full')),
      }),
    };
    const lost = await openContext({ id: 'a', store: broken });
    await lost.append([SYSTEM]);
    await expect(lost.close()).rejects.toThrow('disk full');
  });

  it('remembers a model that was told later', async () => {
    const store = memoryStore();
    const context = await openContext({ id: 'a', store });
    await context.append([SYSTEM, ...turn(1)]);
    await context.useModel({ id: 'tiny', contextWindow: 7_000, maxOutput: 500 });
    const { threshold } = context.metrics().view;
    await context.close();
    await using again = await openContext({ id: 'a', store });
    expect(again.metrics().view.threshold).toBe(threshold);
  });

  it('does not believe a count that cannot be', async () => {
    await using context = await openContext({ id: 'a', models: [{ id: 'm', contextWindow: 100_000, maxOutput: 1 }] });
    await context.append([SYSTEM, ...turns(1, 4)]);
    const { tokens } = await context.prepare();
    for (const count of [tokens / 10, 250_000]) {
      await context.observe({ prompt_tokens: count, completion_tokens: 1 });
      expect((await context.prepare()).tokens).toBe(tokens);
    }
  });

  it('checks its options', async () => {
    for (const [wrong, text] of [
      [{ trim: { tokens: -5 } }, 'Expected `trim.tokens`'],
      [{ trim: true }, 'Expected `trim`'],
      [{ fixedTokens: Number.NaN }, 'Expected `fixedTokens`'],
      [{ id: '' }, 'Expected `id`'],
    ] as const)
      await expect(openContext({ id: 'a', ...wrong } as never)).rejects.toThrow(text);
  });
});
