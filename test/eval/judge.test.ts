/** The judge path end to end: a real server, a real cache on disk. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/eval/types.ts';
import { behave } from '../../src/testing/index.ts';
import { answers, cellsOf, honest, isJudge, judges, MODEL, openPlace, type Place, verdict } from './support.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const resultOf = (label: string, run = 1): RunResult =>
  JSON.parse(readFileSync(join(place.results, label, `small-run-${run}.json`), 'utf8')) as RunResult;
const evaluate = (label: string, ...args: readonly string[]) =>
  place.run('eval', '--fixtures', place.fixture, '--label', label, '--judge-model', MODEL, '--runs', '1', ...args);

describe('with a model', () => {
  test('every probe is answered from the state alone and graded without it', async () => {
    const { code, out, err } = await evaluate('a');
    expect(err).toContain(`judge: ${MODEL}`);
    expect(err).toContain('are of one family (Claude)');
    expect(err).toMatch(/up to \d+ calls, [\d,]+ tokens in and [\d,]+ out, for about \$[\d.]+ to \$[\d.]+/);
    expect(code).toBe(0);
    const full = cellsOf(resultOf('a'), 'full');
    expect([...full.values()].map(({ judged }) => judged?.outcome)).toEqual(Array(5).fill('correct'));
    const none = cellsOf(resultOf('a'), 'none');
    expect(none.get('port')?.judged).toMatchObject({ outcome: 'abstained', grades: { accuracy: 1 } });
    expect(none.get('nothing')?.judged?.outcome).toBe('correct');
    expect(out).toContain('grades, 0 to 5');
    for (const seen of place.server.requests.filter(isJudge)) {
      expect(seen.text).not.toMatch(/precis handoff|candidate|truncation|Step 20 looks/);
      expect(seen.text).toContain('Expected facts:');
    }
    const [exam] = place.server.requests.filter((seen) => !isJudge(seen));
    expect(exam?.text).toContain('NOT IN CONTEXT');
    expect(exam?.text).not.toContain('Expected facts');
    expect(readdirSync(join(place.results, 'a')).sort()).toEqual(['events.jsonl', 'run.json', 'small-run-1.json']);
    expect(resultOf('a').provenance).toMatchObject({ judgeModel: MODEL, answerModel: MODEL, compressorModel: null });
  });

  test('a second run with other replicates asks anew, and the same run asks nobody', async () => {
    await evaluate('a');
    const once = place.server.requests.length;
    const { err } = await evaluate('b');
    expect(place.server.requests.length).toBe(once);
    expect(err).not.toContain('calls, $');
    await evaluate('c', '--fresh');
    expect(place.server.requests.length).toBe(2 * once);
    await place.run('eval', '--fixtures', place.fixture, '--label', 'd', '--judge-model', MODEL, '--runs', '2');
    expect(place.server.requests.length).toBe(3 * once);
    expect(resultOf('d', 2).cells).toEqual(resultOf('d', 1).cells);
  });

  test('a judge that is hard to read is asked again, and what stays unreadable is no score', async () => {
    const seen = new Map<string, number>();
    place.server.script((request) => {
      if (!isJudge(request)) return answers(request);
      const times = (seen.get(request.prompt) ?? 0) + 1;
      seen.set(request.prompt, times);
      if (request.prompt.includes('Which port')) return behave.answer('I would say 4 out of 5.');
      if (request.prompt.includes('Which file') && times < 3) return behave.answer(verdict(7));
      return behave.answer(`Let me think {"accuracy": 1}.\n\`\`\`json\n${verdict(4, 'partial')}\n\`\`\` Done.`);
    });
    const { code, out } = await evaluate('a', '--arms', 'full,candidate');
    expect(code).toBe(0);
    const full = cellsOf(resultOf('a'), 'full');
    expect(full.get('port')?.judged).toMatchObject({ outcome: 'error', grades: null, retries: 2 });
    expect(full.get('port')?.judged?.note).toContain('no JSON object');
    expect(full.get('file')?.judged).toMatchObject({ outcome: 'partial', retries: 2, grades: { accuracy: 4 } });
    expect(full.get('error')?.judged).toMatchObject({ retries: 0 });
    expect(out).toContain('1 without a grade');
    place.server.script(honest);
    const before = place.server.requests.length;
    await evaluate('a', '--arms', 'full,candidate', '--resume');
    expect(cellsOf(resultOf('a'), 'full').get('port')?.judged).toMatchObject({ outcome: 'correct', retries: 0 });
    expect(place.server.requests.length - before).toBe(
      resultOf('a').cells.filter(({ probe }) => probe === 'port').length - 1,
    );
  });

  test('rate limits are waited for', async () => {
    let limited = 0;
    place.server.script((request) =>
      limited++ % 4 === 0
        ? behave.status(429, { retryAfterMs: 5 })
        : isJudge(request)
          ? judges(request)
          : answers(request),
    );
    const { code } = await evaluate('a', '--arms', 'full');
    expect(code).toBe(0);
    expect(resultOf('a').cells.every(({ judged }) => judged?.outcome === 'correct')).toBe(true);
    expect(place.server.requests.length).toBeGreaterThan(10);
  });

  test('a model that says nothing any more is an error, never a score, and is asked again by --resume', async () => {
    place.server.script((request) =>
      request.prompt.includes('Which error') && !isJudge(request)
        ? behave.stall()
        : isJudge(request)
          ? judges(request)
          : answers(request),
    );
    await evaluate('a', '--arms', 'full', '--timeout', '1');
    expect(cellsOf(resultOf('a'), 'full').get('error')?.judged).toMatchObject({ outcome: 'error', answer: '' });
    expect(cellsOf(resultOf('a'), 'full').get('error')?.judged?.note).toContain('timeout');
    place.server.script(honest);
    const before = place.server.requests.length;
    const { code } = await evaluate('a', '--arms', 'full', '--resume');
    expect({ code, asked: place.server.requests.length - before }).toEqual({ code: 0, asked: 2 });
    expect(cellsOf(resultOf('a'), 'full').get('error')?.judged?.outcome).toBe('correct');
  });

  test('a wrong key is found out once, not for every question', async () => {
    place.server.script(behave.status(401));
    const { code, err } = await evaluate('a', '--concurrency', '1');
    expect(code).toBe(3);
    expect(err).toContain('no answer could be graded');
    expect(place.server.requests.length).toBe(1);
  });
});

describe('the cost cap', () => {
  test('holds in the middle of a run, and a resumed run goes on below a higher one', async () => {
    const spentOf = (label: string): number =>
      readFileSync(join(place.results, label, 'events.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"type":"call"'))
        .reduce((sum, line) => sum + (JSON.parse(line) as { usd: number }).usd, 0);
    await evaluate('whole', '--fresh');
    const whole = spentOf('whole');
    const asked = place.server.requests.length;
    const cap = (whole * 0.6).toFixed(5);
    const { code, err } = await evaluate('a', '--fresh', '--max-cost', cap);
    expect(code).toBe(3);
    expect(err).toContain(`the cost cap of $${Number(cap)} was reached`);
    expect(spentOf('a')).toBeLessThanOrEqual(Number(cap));
    expect(spentOf('a')).toBeGreaterThan(0);
    const missing = resultOf('a').cells.filter(({ judged }) => judged?.outcome === 'error');
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.every(({ judged }) => judged?.grades === null && judged.note.includes('cost cap'))).toBe(true);
    const again = await evaluate('a', '--fresh', '--max-cost', '5', '--resume');
    expect(again.code).toBe(0);
    expect(resultOf('a').cells.every(({ judged }) => judged?.outcome !== 'error')).toBe(true);
    // Every request was made once for each of the two labels.
    expect(place.server.requests.length).toBe(2 * asked);
    expect(spentOf('a')).toBeCloseTo(whole, 3);
  });

  test('is refused for a model whose price nobody knows', async () => {
    const { code, err } = await place.run(
      'eval',
      '--fixtures',
      place.fixture,
      '--judge-model',
      'compatible/x',
      '--max-cost',
      '1',
    );
    expect({ code, asked: place.server.requests.length }).toEqual({ code: 2, asked: 0 });
    expect(err).toContain('the price of compatible/x is not known');
  });
});

describe('results', () => {
  test('are not overwritten, and not resumed with other settings', async () => {
    await evaluate('a', '--arms', 'full');
    expect((await evaluate('a', '--arms', 'full')).err).toContain('already exists; continue it with `--resume`');
    const other = await evaluate('a', '--arms', 'full', '--target', '10%', '--resume');
    expect(other.code).toBe(2);
    expect(other.err).toContain('other settings (fixtures)');
  });

  test('a torn last line of events is passed over', async () => {
    await evaluate('a', '--arms', 'full');
    const events = join(place.results, 'a', 'events.jsonl');
    const before = readFileSync(events, 'utf8');
    writeFileSync(events, before.slice(0, -20));
    writeFileSync(
      join(place.results, 'a', 'small-run-1.json'),
      JSON.stringify({ ...resultOf('a'), cells: [{ ...resultOf('a').cells[0], judged: { outcome: 'error' } }] }),
    );
    const asked = place.server.requests.length;
    expect((await evaluate('a', '--arms', 'full', '--resume')).code).toBe(0);
    expect(place.server.requests.length).toBe(asked);
    expect(resultOf('a').cells).toHaveLength(5);
    expect(
      readFileSync(events, 'utf8')
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeGreaterThan(10);
  });
});

describe('batch', () => {
  /** What a batch API would send back. */
  function answered(file: string, form: 'openai' | 'anthropic'): string {
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, never>);
    return lines
      .map((line) => {
        const request =
          form === 'openai' ? (line['body'] as never as { messages: { content: string }[] }).messages : null;
        const params = line['params'] as never as { system: string; messages: { content: string }[] };
        const seen = {
          instructions: request?.[0]?.content ?? params.system,
          prompt: request?.[1]?.content ?? params.messages[0]?.content ?? '',
        };
        const reply = (isJudge(seen) ? judges(seen) : answers(seen)).reply(seen) as { text: string };
        const custom_id = line['custom_id'];
        return form === 'openai'
          ? {
              custom_id,
              response: {
                status_code: 200,
                body: {
                  model: 'm',
                  choices: [{ message: { content: reply.text }, finish_reason: 'stop' }],
                  usage: { prompt_tokens: 10, completion_tokens: 5 },
                },
              },
              error: null,
            }
          : {
              custom_id,
              result: {
                type: 'succeeded',
                message: {
                  model: 'm',
                  content: [{ type: 'text', text: reply.text }],
                  stop_reason: 'end_turn',
                  usage: { input_tokens: 10, output_tokens: 5 },
                },
              },
            };
      })
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  }

  test('two rounds answer and grade everything, and the evaluation then asks nobody', async () => {
    const flags = ['--fixtures', place.fixture, '--judge-model', MODEL, '--runs', '1', '--results', place.results];
    for (const [round, form] of [
      ['one', 'openai'],
      ['two', 'anthropic'],
    ] as const) {
      const { code, out, written } = await place.run('eval', 'export', ...flags, '--out', round);
      expect(code).toBe(0);
      expect(out).toContain(round === 'one' ? 'answer)' : 'judge)');
      const file = join(place.folder, `${round}.jsonl`);
      writeFileSync(file, written[`${round}.${form}.jsonl`] ?? '');
      const responses = join(place.folder, `${round}-responses.jsonl`);
      writeFileSync(
        responses,
        `${answered(file, form)}{"custom_id": "0123456789abcdef01", "error": {"message": "expired"}}\n`,
      );
      const taken = await place.run('eval', 'import', responses, '--results', place.results);
      expect(taken.code).toBe(0);
      expect(taken.err).toContain('there is no answer in it');
    }
    expect((await place.run('eval', 'export', ...flags, '--out', 'three')).out).toContain('Nothing is missing');
    expect(existsSync(join(place.results, 'run.json'))).toBe(false);
    const { code } = await evaluate('a');
    expect({ code, asked: place.server.requests.length }).toEqual({ code: 0, asked: 0 });
    expect(cellsOf(resultOf('a'), 'full').get('port')?.judged?.outcome).toBe('correct');
  });

  test('custom ids fit both providers', async () => {
    const { written } = await place.run(
      'eval',
      'export',
      '--fixtures',
      place.fixture,
      '--judge-model',
      MODEL,
      '--out',
      'x',
    );
    const ids = (written['x.anthropic.jsonl'] ?? '')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id);
    expect(ids.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a file without responses is an error that says so', async () => {
    const file = join(place.folder, 'x.jsonl');
    writeFileSync(file, 'no json\n');
    const { code, err } = await place.run('eval', 'import', file);
    expect(code).toBe(2);
    expect(err).toContain('expected responses of a batch');
  });
});

describe('a compressor', () => {
  test('is asked once a run and pass, and one that fails makes the state invalid', async () => {
    place.server.script((request) =>
      isJudge(request) ? judges(request) : request.prompt.includes('Question: ') ? answers(request) : behave.good,
    );
    const flags = ['--compressor-model', 'compatible/writer', '--arms', 'candidate,truncation', '--runs', '1'];
    const { code } = await place.run('eval', '--fixtures', place.fixture, '--label', 'a', ...flags);
    expect(code).toBe(0);
    expect(place.server.requests.length).toBe(1);
    expect(resultOf('a').states[1]).toMatchObject({ arm: 'candidate', calls: 1, invalid: null });
    place.server.script(behave.status(400));
    await place.run('eval', '--fixtures', place.fixture, '--label', 'b', '--fresh', ...flags);
    expect(resultOf('b').states.map(({ arm, invalid }) => [arm, invalid?.slice(0, 22)])).toEqual([
      ['truncation', 'the candidate has no s'],
      ['candidate', 'the compressor failed:'],
    ]);
    expect(resultOf('b').cells).toEqual([]);
  });
});
