import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { anthropicTurn, SYSTEM, turn, turns } from '../../../test/agent-wire.ts';
import { allText } from '../../core/conversation/message.ts';
import { refsIn } from '../../core/conversation/ref.ts';
import { sqliteStore } from '../../stores/index.ts';
import { openContext } from '../open.ts';
import { recallTool, runRecall } from './recall-tool.ts';

describe('recall', () => {
  it('resolves every ref that any view ever showed, also in another process that has only the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precis-recall-'));
    const file = join(folder, 'agent.db');
    for (const [id, make] of [
      ['chat', turn],
      ['anthropic', anthropicTurn],
    ] as const) {
      const store = sqliteStore(file);
      const shown = new Set<string>();
      const context = await openContext({ id, store, window: 9_000, trim: { tokens: 700 } });
      await context.append({ role: 'user', content: 'Look after the runs.' });
      for (let n = 1; n <= 60; n++) {
        await context.append(make(n, n % 7 === 0 ? 200 : 30));
        await context.prepare();
        if (n === 30) await context.undo();
        for (const message of context.conversation().messages)
          for (const ref of refsIn(allText(message))) shown.add(ref);
      }
      await context.close();
      await store.close();
      const again = sqliteStore(file);
      await using reader = await openContext({ id, store: again, access: 'read' });
      expect(shown.size).toBeGreaterThan(10);
      for (const ref of shown) {
        const { hits } = await reader.recall(ref, { tokens: 300 });
        expect(hits[0]?.text, ref).toMatch(/\S/);
      }
      await again.close();
    }
    rmSync(folder, { recursive: true });
  });

  it('answers a question in plain words with what is no longer in the view', async () => {
    await using context = await openContext({ id: 'a', window: 9_000 });
    await context.append([
      SYSTEM,
      ...turns(1, 4),
      { role: 'assistant', content: 'The staging server listens on port 8443, because 80 is taken.' },
      ...turns(5, 30),
    ]);
    await context.compact({ target: 1_000 });
    const { hits, tokens } = await context.recall('Which port does the staging server use?', { tokens: 500 });
    expect(hits.map(({ text }) => text).join('\n')).toContain('port 8443');
    expect(tokens).toBeLessThanOrEqual(500);
    expect(await runRecall(context, '{"query": "staging port"}')).toContain('[#18 assistant]');
    expect(await runRecall(context, '{"nothing": 1}')).toBe('Expected {"query": "what to look for"}.');
    expect(context.metrics().recalls).toBe(2);
  });

  it('is a tool that the AI SDK takes as it is', async () => {
    await using context = await openContext({ id: 'a', window: 9_000 });
    await context.append([SYSTEM, ...turns(1, 4)]);
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const reply = (content: object[], reason: string) => ({
      content,
      finishReason: { unified: reason },
      usage,
      warnings: [],
    });
    const replies = [
      reply(
        [{ type: 'tool-call', toolCallId: 'c', toolName: 'recall', input: '{"query":"value of run 3"}' }],
        'tool-calls',
      ),
      reply([{ type: 'text', text: 'done' }], 'stop'),
    ];
    const asked: unknown[] = [];
    const model = new MockLanguageModelV4({
      doGenerate: async (options: unknown) => {
        asked.push(options);
        return replies[asked.length - 1] as never;
      },
    });
    const { steps } = await generateText({
      model,
      prompt: 'go',
      tools: { recall: recallTool.aiSdk(context) as never },
      stopWhen: stepCountIs(3),
    });
    expect(JSON.stringify(asked[0])).toContain('"required":["query"]');
    expect(JSON.stringify(steps.map(({ toolResults }) => toolResults))).toContain('The value of run 3 is 3007');
  });
});
