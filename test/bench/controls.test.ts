import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codexStyle } from '../../bench/peers/arms/codex-style.ts';
import { countTokens } from '../../bench/peers/arms/steps.ts';
import { textOnly } from '../../bench/peers/arms/text-only.ts';
import { truncation } from '../../bench/peers/arms/truncation.ts';
import type { Arm, ArmSession, WireMessage } from '../../bench/peers/types.ts';
import { behave, type ModelServer, startModelServer } from '../../src/testing/index.ts';

const SYSTEM: WireMessage = { role: 'system', content: 'You are an agent.' };
const TASK: WireMessage = { role: 'user', content: 'Never touch src/legacy.' };
const ASK: WireMessage = { role: 'user', content: 'Now the parser.' };

function steps(count: number): readonly WireMessage[] {
  return Array.from({ length: count }, (_, index): readonly WireMessage[] => [
    {
      role: 'assistant',
      content: `Step ${index}`,
      tool_calls: [
        { id: `c${index}`, type: 'function', function: { name: 'read', arguments: `{"path":"f${index}"}` } },
      ],
    },
    { role: 'tool', tool_call_id: `c${index}`, content: `output of ${index} `.repeat(100) },
  ]).flat();
}

const SESSION: readonly WireMessage[] = [SYSTEM, TASK, ...steps(20), ASK];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(behave.answer('All files were read.'));
});
afterAll(() => server.close());

async function open(arm: Arm, keep: number, window = 100_000): Promise<ArmSession> {
  const loaded = await arm.load('');
  const model = { baseUrl: `${server.url}/v1`, apiKey: 'none', modelId: 'scripted', window, maxOutput: 1_000 };
  return loaded.open({ window: 100_000, keep, model });
}

/** Calls without a result, and results without a call right before them. */
function unpaired(messages: readonly WireMessage[]): readonly string[] {
  const broken: string[] = [];
  let waiting: string[] = [];
  for (const { role, tool_call_id = '', tool_calls = [] } of messages) {
    if (role === 'tool') {
      if (!waiting.includes(tool_call_id)) broken.push(tool_call_id);
      waiting = waiting.filter((id) => id !== tool_call_id);
    } else {
      broken.push(...waiting);
      waiting = tool_calls.map(({ id }) => id);
    }
  }
  return [...broken, ...waiting];
}

describe.each([truncation, textOnly])('$id', (arm) => {
  it.each([0, 300, 1_000, 3_000, 6_000])(
    'keeps the system message, the task and whole steps within %i tokens',
    async (keep) => {
      const session = await open(arm, keep);
      await session.append(SESSION);
      await session.prepare();
      expect(await session.compact()).toBe('compacted');
      const view = session.view();
      expect(view.slice(0, 2)).toEqual([SYSTEM, TASK]);
      expect(unpaired(view)).toEqual([]);
      expect(countTokens(view)).toBeLessThanOrEqual(Math.max(keep, countTokens([SYSTEM, TASK])));
      if (keep > 0) expect(view.at(-1)).toEqual(ASK);
    },
  );

  it('does nothing when there is nothing to do', async () => {
    const session = await open(arm, 100_000);
    await session.append([SYSTEM, TASK, ...steps(2)]);
    expect(await session.compact()).toBe('skipped');
    expect(session.view()).toEqual([SYSTEM, TASK, ...steps(2)]);
  });
});

describe('text-only', () => {
  it('leaves the newest six messages as they are and the words of all others', async () => {
    const session = await open(textOnly, 100_000);
    await session.append(SESSION);
    await session.compact();
    const view = session.view();
    expect(view.slice(-6)).toEqual(SESSION.slice(-6));
    expect(view.filter(({ content }) => content === '[Old tool output removed]')).toHaveLength(17);
    expect(view.filter(({ role }) => role === 'assistant')).toEqual(SESSION.filter(({ role }) => role === 'assistant'));
  });
});

describe('codex-style', () => {
  it('keeps what the user wrote and one summary, of which there is never a second', async () => {
    server.script(behave.answer('All files were read.'));
    const session = await open(codexStyle, 5_000);
    await session.append(SESSION);
    await session.compact();
    expect(session.view().map(({ role }) => role)).toEqual(['system', 'user', 'user', 'user']);
    await session.append(steps(3));
    await session.compact();
    const view = session.view();
    expect(view.slice(0, 3)).toEqual([SYSTEM, TASK, ASK]);
    expect(view).toHaveLength(4);
    expect(view[3]?.content).toContain('All files were read.');
    expect(server.requests.at(-1)?.text).toContain('left this summary of its progress');
  });

  it('drops the oldest words of the user first when the budget is small', async () => {
    server.script(behave.answer('Done.'));
    const session = await open(codexStyle, countTokens([ASK]));
    await session.append(SESSION);
    await session.compact();
    expect(session.view().slice(0, 2)).toEqual([SYSTEM, ASK]);
  });

  it('shows the model what fits into its window, newest first', async () => {
    server.script(behave.answer('Done.'));
    const session = await open(codexStyle, 5_000, 5_000);
    await session.append(SESSION);
    await session.compact();
    const shown = server.requests.at(-1)?.text ?? '';
    expect(shown).toContain('output of 19');
    expect(shown).not.toContain('output of 0 ');
  });

  it('throws when the model fails, and stays as it was', async () => {
    server.script(behave.status(500));
    const session = await open(codexStyle, 5_000);
    await session.append(SESSION);
    await expect(session.compact()).rejects.toThrow('500');
    expect(session.view()).toEqual(SESSION);
  });
});
