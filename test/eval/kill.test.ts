/** A real process, really killed: what was paid for is not paid for again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/eval/types.ts';
import { behave } from '../../src/testing/index.ts';
import { answers, honest, isJudge, judges, MODEL, openPlace, type Place } from './support.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const CONCURRENCY = 2;

function start(
  label: string,
  ...args: readonly string[]
): { readonly child: ChildProcess; readonly ended: Promise<number | null>; readonly err: () => string } {
  const child = spawn(
    process.execPath,
    [
      main,
      'eval',
      '--fixtures',
      place.fixture,
      '--label',
      label,
      '--judge-model',
      MODEL,
      '--runs',
      '2',
      '--concurrency',
      String(CONCURRENCY),
      '--results',
      place.results,
      ...args,
    ],
    { cwd: place.folder, env: { ...process.env, ...place.env }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let err = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve(code))), err: () => err };
}

const resultsOf = (label: string): readonly RunResult[] =>
  [1, 2].map(
    (run) => JSON.parse(readFileSync(join(place.results, label, `small-run-${run}.json`), 'utf8')) as RunResult,
  );
const gradesOf = (label: string) =>
  resultsOf(label).flatMap(({ cells }) => cells.map(({ arm, probe, judged }) => [arm, probe, judged?.outcome]));

/** Calls `act` when so many requests have arrived. */
function atRequest(count: number, act: () => void): void {
  let seen = 0;
  place.server.script((request) => {
    if (++seen === count) act();
    return isJudge(request) ? judges(request) : answers(request);
  });
}

describe('an evaluation that is', () => {
  test.each([7, 48])(
    'killed at request %i is resumed without paying twice',
    async (at) => {
      const whole = start('whole', '--fresh');
      expect(await whole.ended).toBe(0);
      const once = place.server.requests.length;
      atRequest(at, () => child.kill('SIGKILL'));
      const { child, ended } = start('a', '--fresh');
      expect(await ended).toBe(null);
      const before = place.server.requests.length - once;
      expect(before).toBeLessThan(once);
      place.server.script(honest);
      expect(await start('a', '--fresh', '--resume').ended).toBe(0);
      const paid = place.server.requests.length - once;
      // What was under way when it was killed was never received.
      expect(paid).toBeLessThanOrEqual(once + CONCURRENCY);
      expect(gradesOf('a')).toEqual(gradesOf('whole'));
    },
    60_000,
  );

  test('interrupted with Ctrl-C leaves whole files and says how to go on', async () => {
    atRequest(20, () => child.kill('SIGINT'));
    const { child, ended, err } = start('a');
    expect(await ended).toBe(130);
    expect(err()).toContain('to continue without paying twice, run the same command with `--resume --label a`');
    const events = readFileSync(join(place.results, 'a', 'events.jsonl'), 'utf8');
    expect(events.endsWith('\n')).toBe(true);
    for (const line of events.trim().split('\n')) JSON.parse(line);
    place.server.script(honest);
    const before = place.server.requests.length;
    expect(await start('a', '--resume').ended).toBe(0);
    expect(before).toBeLessThan(30);
    expect(resultsOf('a').every(({ cells }) => cells.every(({ judged }) => judged?.outcome !== 'error'))).toBe(true);
  }, 60_000);

  test('slow is not stopped by one answer that never comes', async () => {
    let stalled = false;
    place.server.script((request) => {
      if (stalled || isJudge(request)) return isJudge(request) ? judges(request) : answers(request);
      stalled = true;
      return behave.stall();
    });
    const { code } = await place.run(
      'eval',
      '--fixtures',
      place.fixture,
      '--label',
      'a',
      '--judge-model',
      MODEL,
      '--runs',
      '1',
      '--arms',
      'full',
      '--timeout',
      '1',
    );
    expect(code).toBe(0);
  });
});
