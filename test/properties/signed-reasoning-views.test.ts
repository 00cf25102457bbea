import { expect, it } from 'vitest';
import type { Wire } from '../../bench/loops/said.ts';
import { type Context, openContext } from '../../src/index.ts';
import { type SigningProvider, signingProvider } from './signed-reasoning-provider.ts';
import { linesOf } from './signed-reasoning-script.ts';

interface Session {
  readonly context: Context;
  readonly provider: SigningProvider;
  readonly say: (content: unknown) => Promise<void>;
  readonly answer: (...blocks: readonly Wire[]) => Promise<void>;
  /** A call and a result of so many characters. */
  readonly work: (tool: string, chars: number) => Promise<void>;
}

/** A session with Claude in a wide window, where nothing is compacted unless a test asks for it. */
async function sessionOf(task: string): Promise<Session> {
  const provider = signingProvider('anthropic');
  const context = await openContext({ id: 'quay', format: 'anthropic', window: 100_000, trim: { tokens: 3_000 } });
  await context.append({ model: 'claude', max_tokens: 100, thinking: {}, messages: [{ role: 'user', content: task }] });
  let calls = 0;
  const say: Session['say'] = async (content) => void (await context.append([{ role: 'user', content }]));
  const answer: Session['answer'] = async (...blocks) => {
    const { request } = await context.prepare();
    expect(provider.faults(request)).toEqual([]);
    const content = [{ type: 'thinking', thinking: 'Hm.', signature: '' }, ...blocks];
    await context.append(provider.sign(request, [{ role: 'assistant', content }], 'plain'));
  };
  return {
    context,
    provider,
    say,
    answer,
    async work(tool, chars) {
      const id = `toolu_${++calls}`;
      await answer({ type: 'tool_use', id, name: tool, input: { path: `src/${id}.ts` } });
      await say([{ type: 'tool_result', tool_use_id: id, content: linesOf(calls, chars) }]);
    },
  };
}

const words = (text: string): Wire => ({ type: 'text', text });

it('goes when a message that was condensed before it becomes whole again', async () => {
  const { context, provider, say, answer, work } = await sessionOf('Look after the quay.');
  await work('plan', 6_000);
  await answer(words('Done.'));
  await say('Go on.');
  expect((await context.compact({ target: 1_200 })).outcome).toBe('condensed');
  await answer(words('Yes.'));
  await say('Next.');
  for (const chars of [9_000, 9_000, 3_000]) await work('run', chars);
  await answer(words('Fine.'));
  await say('More.');
  const { request, outcome } = await context.compact({ target: 5_000 });
  expect(outcome).toBe('condensed');
  expect(JSON.stringify(request)).toContain(linesOf(1, 6_000).slice(-200).split('\n').at(-1));
  expect(provider.faults(request)).toEqual([]);
});

it('goes with an undo when it was written under the view that is undone', async () => {
  const { context, provider, say, answer, work } = await sessionOf('Look after the quay.');
  await work('run', 6_000);
  await answer(words('Done.'));
  await say('Go on.');
  await context.compact({ target: 1_200 });
  await answer(words('Yes.'));
  await say('Next.');
  const undone = await context.undo();
  expect(undone?.fits).toBe(true);
  expect(provider.faults(undone?.request)).toEqual([]);
  await answer(words('Written under the history again.'));
  await say('And?');
  expect(provider.faults((await context.restore('c1')).request)).toEqual([]);
});

it('keeps the view while a turn needs reasoning that was signed under it', async () => {
  const { context, provider, say, answer, work } = await sessionOf('Look after the quay.');
  await work('run', 6_000);
  await answer(words('Done.'));
  await say('Go on.');
  await context.compact({ target: 1_200 });
  await work('run', 300);
  const undone = await context.undo();
  expect(undone?.reason).toContain('until the turn has ended');
  expect(context.viewId()).toBe('c1');
  expect(provider.faults(undone?.request)).toEqual([]);
});

it('goes when a pin makes a trimmed message before it whole, once its turn has ended', async () => {
  const { context, provider, say, answer, work } = await sessionOf('Look after the quay.');
  await work('run', 20_000);
  await answer(words('Done.'));
  await say('Go on.');
  await context.pin(3);
  const { request } = await context.prepare();
  expect(JSON.stringify(request)).not.toContain('[precis');
  expect(provider.faults(request)).toEqual([]);
});
