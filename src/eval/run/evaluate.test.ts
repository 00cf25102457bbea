import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from '../../formats/convert/convert.ts';
import { detectFormat } from '../../formats/detect.ts';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { behave, scriptedModel } from '../../testing/index.ts';
import { type DecodedFixture, decodeFixture } from '../probes/decode.ts';
import { loadFixture } from '../probes/fixture.ts';
import { DIMENSIONS, type RunResult } from '../types.ts';
import { plainMessages, type UserArm } from './arms/user-arm.ts';
import type { KeptAnswer, Missing } from './calls/asker.ts';
import { openaiLine, readBatchLine } from './calls/batch.ts';
import { evaluate } from './evaluate.ts';
import type { EvalStorage } from './evaluate-options.ts';
import { planFixture } from './plan.ts';

let fixture: DecodedFixture;
beforeAll(async () => {
  const folder = fileURLToPath(new URL('../../../fixtures/flight-change', import.meta.url));
  fixture = decodeFixture(await loadFixture(folder), detectFormat);
});

const grades = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, 0]));
const exam = () => ({
  answerer: scriptedModel(behave.answer('I do not know.'), { id: 'scripted/answerer' }),
  judge: scriptedModel(behave.answer(JSON.stringify({ ...grades, outcome: 'wrong', note: 'no facts' }))),
});

/** Keeps events and runs as a disk would. */
function memoryStorage(): EvalStorage & { readonly runs: Map<string, RunResult>; readonly lines: string[] } {
  const runs = new Map<string, RunResult>();
  const lines: string[] = [];
  return {
    runs,
    lines,
    events: async () => lines.join('\n'),
    append: async (event) => void lines.push(JSON.stringify(event)),
    run: async (name, run) => runs.get(`${name} ${run}`) ?? null,
    save: async (result) => void runs.set(`${result.fixture} ${result.run}`, result),
  };
}

describe('evaluate', () => {
  test('by code alone asks nobody, runs once, and needs nothing but fixtures', async () => {
    const { runs, ...rest } = await evaluate({ fixtures: [fixture], arms: ['full', 'candidate'] });
    expect(rest).toEqual({ isCapped: false, isInterrupted: false, calls: 0, usd: 0 });
    expect(runs).toHaveLength(1);
    expect(new Set(runs[0]?.states.map(({ arm }) => arm))).toEqual(new Set(['full', 'candidate']));
    expect(runs[0]?.provenance).toMatchObject({ precis: 'unknown', judgeModel: null });
  });

  test('a planned fixture keeps its target and passes', async () => {
    const planned = planFixture(fixture, { target: { share: 0.5 }, passes: 2 });
    expect(planned.target).toBe(Math.round(planned.tokens / 2));
    const { runs } = await evaluate({ fixtures: [planned], arms: ['candidate'] });
    expect(runs[0]?.provenance).toMatchObject({ target: planned.target, passes: 2 });
  });

  test('goes on where an earlier process stopped, and pays nothing twice', async () => {
    const storage = memoryStorage();
    const models = exam();
    const options = { fixtures: [fixture], arms: ['candidate'], runs: 2, exam: models } as const;
    const first = await evaluate(options, { storage });
    expect(first.calls).toBeGreaterThan(0);
    const asked = models.answerer.requests.length + models.judge.requests.length;
    storage.runs.delete(`${fixture.fixture.name} 2`);
    const again = await evaluate(options, { storage });
    expect(again.calls).toBe(0);
    expect(models.answerer.requests.length + models.judge.requests.length).toBe(asked);
    expect(again.runs.map(({ cells }) => cells)).toEqual(first.runs.map(({ cells }) => cells));
  });

  test('an aborted evaluation gives the runs that are done', async () => {
    const done = await evaluate({ fixtures: [fixture], arms: ['candidate'] }, { signal: AbortSignal.abort() });
    expect(done).toMatchObject({ runs: [], isInterrupted: true });
  });

  test('requests that are written down for a batch find their answers', async () => {
    const missing: Missing[] = [];
    const kept = new Map<string, KeptAnswer>();
    const cache = {
      get: async (key: string) => kept.get(key) ?? null,
      put: async (key: string, answer: KeptAnswer) => void kept.set(key, answer),
    };
    const storage = memoryStorage();
    const options = { fixtures: [fixture], arms: ['candidate'], runs: 1, exam: exam() } as const;
    await evaluate(options, { cache, storage, defer: (request) => missing.push(request) });
    expect(storage.lines).toEqual([]);
    for (const request of missing) {
      const { custom_id } = JSON.parse(openaiLine(request)) as { readonly custom_id: string };
      const read = readBatchLine(JSON.stringify({ custom_id, text: 'From the batch.' }));
      if (read.type === 'answer') await cache.put(read.key, read.answer);
    }
    const { runs } = await evaluate(options, { cache });
    expect(runs[0]?.cells.every(({ judged }) => judged?.answer === 'From the batch.')).toBe(true);
    expect(options.exam.answerer.requests).toEqual([]);
  });

  describe('with a compactor of your own', () => {
    const last: UserArm = { name: 'last', compact: async (messages) => messages.slice(-4) };

    test('measures it beside ours', async () => {
      const { runs } = await evaluate(
        { fixtures: [fixture], arms: ['candidate'], userArms: [last] },
        { plain: plainMessages(openaiChat, convert) },
      );
      expect(runs).toHaveLength(3);
      expect(runs[0]?.states.find(({ arm }) => arm === 'last')).toMatchObject({ role: 'candidate', invalid: null });
    });

    test('refuses a name that is taken, and messages that nobody can write', async () => {
      await expect(evaluate({ fixtures: [fixture], userArms: [last] })).rejects.toThrow('expected the port `plain`');
      const taken = { ...last, name: 'full' };
      await expect(evaluate({ fixtures: [fixture], userArms: [taken] })).rejects.toThrow('got `full` twice');
    });
  });

  test('a fixture without probes is refused', async () => {
    await expect(evaluate({ fixtures: [{ ...fixture, bank: null }] })).rejects.toThrow('expected probes beside it');
  });
});
