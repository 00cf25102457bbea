import type { EvalSummary } from '../../eval/results/aggregate.ts';
import type { Miss } from '../../eval/results/misses.ts';
import type { RunResult } from '../../eval/types.ts';
import { xml } from '../escape.ts';
import { mainCandidate } from './candidate.ts';

interface Case {
  readonly probe: string;
  readonly pass: number;
  readonly errors: number;
}

/** Writes an evaluation result as JUnit XML: a suite for each fixture, a case for each probe of the candidate after each pass, a failure for each miss. */
export function evalJunit(summary: EvalSummary, runs: readonly RunResult[]): string {
  const arm = mainCandidate(summary)?.arm ?? '';
  const suites = summary.fixtures.map((fixture) => suite(fixture, casesOf(runs, fixture, arm), summary.misses));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xml(summary.label)}">\n${suites.join('')}</testsuites>\n`;
}

function casesOf(runs: readonly RunResult[], fixture: string, arm: string): readonly Case[] {
  const found = new Map<string, Case>();
  for (const run of runs)
    for (const { fixture: own, arm: of, probe, pass, judged } of run.cells) {
      if (own !== fixture || of !== arm) continue;
      const key = `${pass}\0${probe}`;
      const errors = (found.get(key)?.errors ?? 0) + Number(judged?.outcome === 'error');
      found.set(key, { probe, pass, errors });
    }
  return [...found.values()];
}

function suite(fixture: string, cases: readonly Case[], misses: readonly Miss[]): string {
  const own = misses.filter((miss) => miss.fixture === fixture);
  const lines = cases.map(({ probe, pass, errors }) => {
    const start = `    <testcase classname="${xml(fixture)}" name="${xml(`${probe}, pass ${pass}`)}"`;
    const miss = own.find((each) => each.probe === probe && each.pass === pass);
    if (miss !== undefined) return `${start}>\n      ${failure(miss)}\n    </testcase>\n`;
    if (errors > 0) return `${start}>\n      <error message="${errors} without a grade"/>\n    </testcase>\n`;
    return `${start}/>\n`;
  });
  const errors = lines.filter((line) => line.includes('<error ')).length;
  return `  <testsuite name="${xml(fixture)}" tests="${cases.length}" failures="${own.length}" errors="${errors}">\n${lines.join('')}  </testsuite>\n`;
}

function failure({ grade, facts, note, isSilent }: Miss): string {
  const message = grade === null ? `facts gone: ${facts.length}` : `graded ${grade.toFixed(1)} of 5`;
  const details = [note, ...facts.map(({ value, outcome, note: why }) => `${outcome}: ${value} ${why}`)];
  return `<failure type="${isSilent ? 'silent' : 'loud'}" message="${xml(message)}">${details
    .filter((line) => line !== '')
    .map(xml)
    .join('\n')}</failure>`;
}
