/** The pages that are made from results are those of the results that are committed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { report } from '../../bench/report/report.ts';
import { MARK } from '../../bench/report/sections/intro.ts';
import { workloads } from '../../bench/speed/workloads/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the page of benchmarks is one that was made, not written', () => {
  expect(readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')).toContain(MARK);
});

test('the figures of the documentation are those of the results', () => {
  const descriptions = Object.fromEntries(workloads.map(({ name, what }) => [name, what]));
  expect(report(root, 'check', descriptions)).toEqual({
    code: 0,
    lines: ['The documentation matches the results.'],
  });
});
