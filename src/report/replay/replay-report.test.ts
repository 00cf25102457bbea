import { describe, expect, test } from 'vitest';
import { plainRules, reading } from '../../../test/replay/support.ts';
import { openaiChat } from '../../formats/index.ts';
import { sessionRowOf } from '../../replay/metrics/session-row.ts';
import { type ReplaySummary, summarizeReplay } from '../../replay/metrics/summary.ts';
import { policyById } from '../../replay/policies/policies.ts';
import { simulate } from '../../replay/simulate/simulate.ts';
import { replayHtml } from './html.ts';
import { replayJson } from './json.ts';
import { replayMarkdown } from './markdown.ts';
import { replayText } from './text.ts';

async function sample(name = 'a session'): Promise<ReplaySummary> {
  const trace = { ...reading(30, 4_000), name };
  const policies = ['none', 'summary-85', 'precis'].map(policyById);
  const window = 100_000;
  const results = [];
  for (const policy of policies)
    results.push(await simulate(trace, { policy, rules: plainRules, window, soundness: openaiChat }));
  return summarizeReplay({
    window,
    paceMs: 30_000,
    policies,
    prices: [plainRules],
    replayed: [{ row: { ...sessionRowOf(trace, window), optimumUsd: { plain: (results[0]?.usd ?? 0) / 2 } }, results }],
    failures: [{ session: 'b', error: 'cut off' }],
  });
}

describe('a report of a replay', () => {
  test('as text has a row for each policy, and what it does not say', async () => {
    const text = replayText(await sample());
    expect(text).toContain('1 session, 31 requests, window 100,000 tokens; 0 of 1 fit without a cut.');
    expect(text).toMatch(/none +\$\d+ +0\.0 % +\d/);
    expect(text).toMatch(/summary-85 .*\?/);
    expect(text).toContain('does not model');
    expect(Math.max(...text.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80);
    expect(text).toContain('Not replayed: b: cut off');
    // Half of what no compaction cost is twice the optimum.
    expect(text).toMatch(/none .* 2\.00\n/);
  });

  test('as Markdown has tables of equal width', async () => {
    const lines = replayMarkdown(await sample('odd | name')).split('\n');
    const tables = lines.filter((line) => line.startsWith('| '));
    expect(tables.length).toBeGreaterThan(15);
    const columns = (line: string) => line.replaceAll('\\|', '').split('|').length;
    for (const [at, line] of lines.entries())
      if (line.startsWith('| ') && lines[at + 1]?.startsWith('| ') === true)
        expect(columns(line)).toBe(columns(lines[at + 1] ?? ''));
  });

  test('as JSON is all of it', async () => {
    const report = await sample();
    expect(JSON.parse(replayJson(report))).toEqual(JSON.parse(JSON.stringify(report)));
  });

  test('as a page needs nothing else, and obeys no name', async () => {
    const page = replayHtml(await sample('<script>alert("1")</script>'));
    expect(page).not.toMatch(/<script|https?:|@import|url\(/);
    expect(page).toContain('&lt;script&gt;');
    // One plot of cost against facts, and two for each policy.
    expect(page.match(/<svg /g)).toHaveLength(1 + 2 * 3);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('without an event or a known fact is still a page', async () => {
    const report = await sample();
    const page = replayHtml({ ...report, results: report.results.slice(0, 1), pooled: report.pooled.slice(1, 2) });
    expect(page).not.toMatch(/NaN|Infinity/);
  });
});
