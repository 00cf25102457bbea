import { describe, expect, it } from 'vitest';
import { longSession } from '../../bench/sessions.ts';
import { openContext } from '../../src/context/open.ts';
import { compact } from '../../src/core/compact.ts';
import { append } from '../../src/core/conversation/conversation.ts';
import { allText } from '../../src/core/conversation/message.ts';
import { type AlignedModel, singleSummarizer } from '../../src/core/model.ts';
import { isHandoff } from '../../src/core/record/handoff/handoff-message.ts';
import { heuristicCounter } from '../../src/core/tokens/counter.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { o200k } from '../../src/models/o200k.ts';
import { behave, build, type Script, type ScriptedModel, scriptedModel } from '../../src/testing/index.ts';

const measure = createMeasure(o200k);

/** A session in which the meaning is spread over several messages. */
function session(steps: number, from = 0): ReturnType<typeof build> {
  let made = build()
    .system('You look after a shop.')
    .user('Find out why orders fail. Never restart the database. The limit is 100 per minute.');
  for (let step = from; step < from + steps; step++) {
    if (step === 5) made = made.assistant('I have seen five orders.').user('Do not touch the invoices table.');
    made = made
      .call('bash', { command: `grep -n order${step} shop.log` })
      .result(
        Array.from(
          { length: 40 },
          (_, line) => `line ${line}: order${step} took ${line * 7} ms in worker ${step}`,
        ).join('\n'),
      );
  }
  return made
    .assistant('The orders wait for the payment service.')
    .user('The limit is 250 per minute now. Go on.')
    .assistant('Noted.')
    .user('What next?');
}

const INSIGHT =
  '- Orders fail because the payment service answers after 30 seconds and shop.log shows them waiting in worker 3 (#9)';

describe('a summary by a model', () => {
  it('is kept where it says more than quotes, and what it forgets is added by code', async () => {
    const conversation = session(30).decode(openaiChat);
    const model = scriptedModel(
      behave.answer(`## Key Decisions\n${INSIGHT}\n## Goal\n- Find out why orders fail (#2)\n`),
    );
    const {
      conversation: view,
      outcome,
      receipt,
    } = await compact(conversation, openaiChat, { target: 1_500, summarizer: singleSummarizer(model) });
    const text = view.messages.map(allText).join('\n');
    expect(text).toContain(INSIGHT.slice(2));
    expect(text).toContain('Never restart the database.');
    expect(text).toContain('Do not touch the invoices table.');
    expect(outcome).toBe('repaired');
    expect(receipt.writer).toMatchObject({
      kind: 'model',
      model: 'scripted/model',
      validation: { lines: 2, removed: {} },
    });
    expect(receipt.writer.validation['factsAddedByCode']).toBeGreaterThan(0);
  });

  it('loses its lines that are not true, each with the name of the check', async () => {
    const conversation = session(30).decode(openaiChat);
    const lies = [
      '- The database was restarted as the user asked: restart the database (#2)',
      '- The fix is in src/nowhere.ts (#5)',
      '- The limit is 100 per minute (#2)',
      INSIGHT,
    ];
    const model = scriptedModel(behave.answer(`## Progress\n### Done\n${lies.join('\n')}`));
    const { conversation: view, receipt } = await compact(conversation, openaiChat, {
      target: 1_500,
      summarizer: singleSummarizer(model),
    });
    expect(receipt.writer.validation['removed']).toEqual({ inverted: 1, ungrounded: 1, stale: 1 });
    expect(view.messages.map(allText).join('\n')).not.toContain('src/nowhere.ts');
  });

  it('is carried on by the next pass: the model reads its own lines and only what is new', async () => {
    const first = scriptedModel(behave.answer(`## Key Decisions\n${INSIGHT}\n- Workers are counted from 0 (#5)\n`));
    const begun = await compact(session(30).decode(openaiChat), openaiChat, {
      target: 1_500,
      summarizer: singleSummarizer(first),
    });
    const more = session(30, 30).decode(openaiChat).messages.slice(2);
    const second = scriptedModel(behave.answer(`## Key Decisions\n${INSIGHT}\n- Worker 47 is the slowest (#120)\n`));
    const next = await compact(append(begun.conversation, more), openaiChat, {
      target: 1_500,
      summarizer: singleSummarizer(second),
    });
    const asked = second.requests[0]?.prompt ?? '';
    expect(asked).toContain(INSIGHT.slice(2));
    expect(asked).toContain('order45');
    expect(asked).not.toContain('order12 took');
    const handoffs = next.conversation.messages.filter(isHandoff);
    expect(handoffs).toHaveLength(1);
    expect(allText(handoffs[0] as (typeof handoffs)[number]).split(INSIGHT.slice(2))).toHaveLength(2);
  });

  it('stays when a later pass has no model, also when only the messages are left', async () => {
    const model = scriptedModel(behave.answer(`## Key Decisions\n${INSIGHT}\n- Workers are counted from 0 (#5)\n`));
    const begun = await compact(session(30).decode(openaiChat), openaiChat, {
      target: 1_500,
      summarizer: singleSummarizer(model),
    });
    const more = session(30, 30).decode(openaiChat).messages.slice(2);
    for (const view of [
      begun.conversation,
      { format: begun.conversation.format, messages: begun.conversation.messages },
    ]) {
      const next = await compact(append(view, more), openaiChat, { target: 1_500 });
      expect(next.conversation.messages.map(allText).join('\n')).toContain(INSIGHT.slice(2));
    }
  });

  it('is asked for within the window of the summariser, whatever the size of the session', {
    timeout: 60_000,
  }, async () => {
    const conversation = longSession(3_000_000, createMeasure(heuristicCounter));
    const model = scriptedModel(behave.good, { contextWindow: 32_000 });
    const { receipt } = await compact(conversation, openaiChat, {
      target: 20_000,
      window: 4_000_000,
      summarizer: singleSummarizer(model),
    });
    expect(receipt.tokens.before).toBeGreaterThan(2_500_000);
    expect(model.requests.length).toBeLessThanOrEqual(8);
    for (const { prompt, instructions } of model.requests)
      expect(measure.text(prompt) + measure.text(instructions)).toBeLessThanOrEqual(32_000);
    expect(receipt.writer.validation['entriesNotRead']).toBeGreaterThan(0);
  });

  it('is not asked for when nothing is folded', async () => {
    const model = scriptedModel(behave.good);
    const { outcome } = await compact(session(30).decode(openaiChat), openaiChat, {
      target: 30_000,
      summarizer: singleSummarizer(model),
    });
    expect({ outcome, requests: model.requests.length }).toEqual({ outcome: 'unchanged', requests: 0 });
  });

  it('ends at once when it is aborted, and the conversation is as it was', async () => {
    const controller = new AbortController();
    const model = scriptedModel(behave.stall());
    const conversation = session(30).decode(openaiChat);
    const work = compact(conversation, openaiChat, {
      target: 1_500,
      summarizer: singleSummarizer(model),
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 20);
    await expect(work).rejects.toMatchObject({ name: 'PrecisError', code: 'aborted' });
  });
});

describe('the request to a model', () => {
  const LISTED = 'No quote says these';
  const asked = ({ requests }: ScriptedModel): readonly number[] =>
    requests.map(({ prompt }) => Number(/about (\d+) tokens/.exec(prompt)?.[1]));

  it('does not repeat what quotes say: a rule stands in the transcript and nowhere else', async () => {
    const model = scriptedModel(behave.good);
    const { conversation } = await compact(session(30).decode(openaiChat), openaiChat, {
      target: 1_500,
      summarizer: singleSummarizer(model),
    });
    expect(conversation.messages.map(allText).join('\n')).toContain('Do not touch the invoices table.');
    const { prompt, instructions } = model.requests[0] ?? { prompt: '', instructions: '' };
    expect(prompt.split('Do not touch the invoices table.')).toHaveLength(2);
    expect(prompt).not.toContain(LISTED);
    expect(instructions).toContain('the deciding words only');
  });

  it('names the critical facts that the view by code does not say, and only as many as the answer can repeat', async () => {
    const conversation = manyRules(120).decode(openaiChat);
    const model = scriptedModel(behave.good);
    const byCode = await compact(conversation, openaiChat, { target: 1_500 });
    await compact(conversation, openaiChat, { target: 1_500, summarizer: singleSummarizer(model) });
    const said = byCode.conversation.messages.map(allText).join('\n');
    const listed = listedIn(model.requests[0]?.prompt ?? '', LISTED);
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.filter((fact) => said.includes(fact))).toEqual([]);
    expect(measure.text(listed.join('\n'))).toBeLessThanOrEqual(asked(model)[0] ?? 0);
  });

  it('asks for more when there is more room, and divides it among parts by what they hold', async () => {
    const conversation = longSession(200_000, createMeasure(heuristicCounter));
    const lengths = async (target: number, contextWindow: number): Promise<readonly number[]> => {
      const model = scriptedModel(behave.good, { contextWindow, maxOutput: 32_000 });
      await compact(conversation, openaiChat, { target, window: 400_000, summarizer: singleSummarizer(model) });
      return asked(model);
    };
    const [small = 0] = await lengths(10_000, 400_000);
    const [large = 0] = await lengths(30_000, 400_000);
    expect(large).toBeGreaterThan(small * 2);
    expect(large).toBeLessThanOrEqual(15_000);
    const parts = await lengths(30_000, 32_000);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(large);
    expect(Math.max(...parts)).toBeGreaterThan(large / parts.length - 1);
  });
});

/** More rules than a small view can quote, in messages that get folded. */
function manyRules(rules: number): ReturnType<typeof build> {
  let made = build().system('You look after a shop.').user('Tidy up the tables.');
  for (let rule = 0; rule < rules; rule++)
    made = made
      .assistant(`Table t${rule} is next.`)
      .user(`Never drop the column c${rule * 7} of table t${rule} before the export of ${rule + 3} rows is done.`);
  return made.assistant('All tables are tidy.').user('What next?').assistant('Nothing.').user('Thanks, go on.');
}

/** The facts of the list that begins with these words. */
function listedIn(prompt: string, words: string): readonly string[] {
  const [, list = ''] = prompt.split(words);
  const lines = list.split('\ndata ')[0]?.split('\n- ').slice(1) ?? [];
  return lines.map((line) => line.replace(/ \(#\d+\)$/, ''));
}

describe('a template of the caller', () => {
  const template = ['## Risks', 'Key Decisions'];
  const answer = `## Risks\n${INSIGHT}\n## Key Decisions\n- The database is never restarted (#2)\n`;

  it('gives the model its headings, and its lines stand under them', async () => {
    const model = scriptedModel(behave.answer(answer));
    const { conversation: view } = await compact(session(30).decode(openaiChat), openaiChat, {
      target: 1_500,
      template,
      summarizer: singleSummarizer(model),
    });
    const handoff = view.messages.filter(isHandoff).map(allText).join('\n');
    expect(model.requests[0]?.instructions).toContain('## Risks\n## Key Decisions\n');
    expect(model.requests[0]?.instructions).not.toContain('## Goal');
    expect(handoff).toMatch(/\n## Risks\n\* Orders fail because/);
    expect(handoff.indexOf('## Risks')).toBeLessThan(handoff.indexOf('## Progress'));
  });

  it('is carried by the handoff: a later pass without it, from the messages alone, keeps the section', async () => {
    const first = await compact(session(30).decode(openaiChat), openaiChat, {
      target: 1_500,
      template,
      summarizer: singleSummarizer(scriptedModel(behave.answer(answer))),
    });
    const wire = openaiChat.encode(first.conversation) as readonly unknown[];
    const model = scriptedModel(behave.empty);
    const grown = append(openaiChat.decode(wire).conversation, session(20, 40).decode(openaiChat).messages.slice(2));
    const second = await compact(grown, openaiChat, { target: 1_500, summarizer: singleSummarizer(model) });
    expect(second.conversation.messages.map(allText).join('\n')).toMatch(/\n## Risks\n\* Orders fail because/);
    // Every line of the handoff so far is sent once.
    expect(model.requests[0]?.prompt.split('Orders fail because').length).toBe(2);
  });
});

describe('a model asked at the end of the conversation itself', () => {
  const prices = { input: 1, output: 5 };
  const own = (script: Script): { readonly model: ScriptedModel; readonly aligned: AlignedModel } => {
    const model = scriptedModel(script, { id: 'scripted/own', contextWindow: 200_000 });
    const generate: AlignedModel['generate'] = (request) => model.generate({ ...request, instructions: '' });
    const { id, contextWindow } = model;
    return { model, aligned: { id, contextWindow, prices: { cachedInput: 0.1, output: 5 }, generate } };
  };
  const good = behave.answer(`## Key Decisions\n${INSIGHT}\n- Orders wait for the payment service (#9)\n`);

  it('is chosen when reading from the cache is cheaper, and reads no transcript', async () => {
    const { model, aligned } = own(good);
    const { receipt, conversation } = await compact(session(30).decode(openaiChat), openaiChat, {
      target: 1_500,
      aligned,
      summarizer: singleSummarizer(scriptedModel(behave.status(500), { prices })),
    });
    expect(receipt.writer).toMatchObject({ kind: 'model', model: 'scripted/own' });
    expect(receipt.calls).toHaveLength(1);
    expect(model.requests[0]?.prompt).toContain('the conversation above');
    // Some lines are quoted; the output itself is not sent again.
    expect(model.requests[0]?.prompt).not.toContain('line 17: order3 took');
    expect(conversation.messages.map(allText).join('\n')).toContain(INSIGHT.slice(2));
  });

  it('is not asked when it is dearer or the conversation does not fit it', async () => {
    for (const change of [{ prices: { cachedInput: 10, output: 5 } }, { contextWindow: 1_000 }]) {
      const { model, aligned } = own(good);
      const { receipt } = await compact(session(30).decode(openaiChat), openaiChat, {
        target: 1_500,
        aligned: { ...aligned, ...change },
        summarizer: singleSummarizer(scriptedModel(good, { prices })),
      });
      expect(model.requests).toHaveLength(0);
      expect(receipt.writer.model).toBe('scripted/model');
    }
  });

  it('is compared with what is new, not with all that was ever folded', async () => {
    const { aligned } = own(good);
    await using context = await openContext({
      id: 'shop',
      window: 100_000,
      aligned: { ...aligned, prices: { cachedInput: 0.5, output: 5 } },
      summarizer: singleSummarizer(scriptedModel(good, { prices })),
    });
    await context.append(session(30).done());
    await context.compact({ target: 3_000 });
    const more = Array.from({ length: 40 }, (_, at) => [
      { role: 'assistant', content: `Order ${at} waits too.` },
      { role: 'user', content: 'And the next one?' },
    ]);
    await context.append(more.flat());
    await context.compact({ target: 2_000 });
    expect(context.compactions().map(({ receipt }) => receipt.writer.model)).toEqual([
      'scripted/own',
      'scripted/model',
    ]);
  });

  it('fails into the summariser', async () => {
    const { receipt } = await compact(session(30).decode(openaiChat), openaiChat, {
      target: 1_500,
      aligned: own(behave.status(500)).aligned,
      summarizer: singleSummarizer(scriptedModel(good, { prices })),
    });
    expect(receipt.calls.map(({ model }) => model)).toEqual(['scripted/own', 'scripted/model']);
    expect(receipt.writer.model).toBe('scripted/model');
  });
});
