import type { ReplayMetrics } from '../../replay/metrics/metrics.ts';
import type { ReplaySummary } from '../../replay/metrics/summary.ts';
import type { ReplayResult } from '../../replay/simulate/result.ts';
import { html } from '../escape.ts';
import { counted, percent, whole } from '../figures.ts';
import { caveats } from './caveats.ts';
import { between, changeText, comparedWithNone, factsText, money, thousands, toOptimumText } from './replay-figures.ts';
import { scatterPlot, smallPlot } from './svg.ts';

/** Most sessions with their own plots; more would make a page of many megabytes. */
const MOST_SESSIONS = 12;
const NEAR_WINDOW = 0.6;

/** Writes a replay as one self-contained page: no script, no network. */
export function replayHtml(summary: ReplaySummary): string {
  const body = [
    '<h1>Replay</h1>',
    `<p>${counted(summary.sessions.length, 'session')} in a window of ${whole(summary.window)} tokens. What each policy would have cost, request by request, with the prompt cache of the provider.</p>`,
    ...summary.prices.map(({ id, title }) => {
      const rows = summary.pooled.filter(({ rules }) => rules === id);
      return `<section><h2>${html(title)}</h2>${overview(rows, summary)}${costAgainstFacts(rows)}</section>`;
    }),
    sessionsPart(summary),
    `<section><h2>Policies</h2><dl>${summary.policies.map(({ id, note }) => `<dt>${html(id)}</dt><dd>${html(note)}</dd>`).join('')}</dl></section>`,
    `<section><h2>What this does not say</h2><ul>${[
      ...caveats(summary),
      ...summary.failures.map(({ session, error }) => `Not replayed: ${session}: ${error}`),
    ]
      .map((text) => `<li>${html(text)}</li>`)
      .join('')}</ul></section>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Replay</title><style>${STYLE}</style></head>
<body><main>${body.join('\n')}</main></body></html>
`;
}

function overview(rows: readonly ReplayMetrics[], summary: ReplaySummary): string {
  const headings = [
    'policy',
    'cost',
    'vs none',
    'events/100',
    'turns between',
    'prune : summary',
    'calls',
    'cache hits',
    'peak',
    'mean',
    'facts kept',
    're-reads',
    'paid back',
    '× optimum',
  ];
  const cells = rows.map((row) => [
    row.policy,
    money(row.usd),
    comparedWithNone(row, summary.pooled),
    row.eventsPer100.toFixed(2),
    between(row),
    `${row.kinds.prune} : ${row.kinds.summary}`,
    whole(row.auxiliary.calls),
    percent(row.hitRatio),
    thousands(row.peakTokens),
    thousands(row.meanTokens),
    factsText(row),
    whole(row.rereads.count),
    row.events === 0 ? '–' : `${row.paidBack.yes} of ${row.events}`,
    toOptimumText(summary, row),
  ]);
  const head = headings.map((heading) => `<th scope="col">${html(heading)}</th>`).join('');
  const lines = cells.map(
    ([name = '', ...rest]) =>
      `<tr${isOurs(name) ? ' class="ours"' : ''}><th scope="row">${html(name)}</th>${rest.map((cell) => `<td>${html(cell)}</td>`).join('')}</tr>`,
  );
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

function isOurs(policy: string): boolean {
  return policy.includes('precis') || policy === 'idle';
}

function costAgainstFacts(rows: readonly ReplayMetrics[]): string {
  const none = rows.find(({ policy }) => policy === 'none') ?? rows[0];
  if (none === undefined || none.usd === 0) return '';
  const points = rows.map(({ policy, facts, usd }) => ({
    name: policy,
    x: facts.kept === null || facts.all === 0 ? null : facts.kept / facts.all,
    y: usd / none.usd,
    style: isOurs(policy) ? 'dot ours' : 'dot',
  }));
  return `<figure>${scatterPlot(points, 'facts kept at the end', `cost beside ${none.policy}`)}<figcaption>Cost against facts kept: down and to the right is better.</figcaption></figure>`;
}

function sessionsPart(summary: ReplaySummary): string {
  const [prices] = summary.prices;
  if (prices === undefined) return '';
  const shown = summary.sessions.toSorted((one, other) => other.tokens - one.tokens).slice(0, MOST_SESSIONS);
  const parts = shown.map(({ name, requests, tokens }, index) => {
    const results = summary.results.filter(({ session, rules }) => session === name && rules === prices.id);
    return `<details${index === 0 ? ' open' : ''}><summary>${html(name)} <span>${whole(requests)} requests, ${thousands(tokens)} tokens</span></summary>
<h3>Context size</h3><div class="grid">${results.map((result) => sawtooth(result, results)).join('')}</div>
<h3>Cost so far</h3><div class="grid">${results.map((result) => cumulative(result, results)).join('')}</div></details>`;
  });
  return `<section><h2>Sessions</h2><p>The ${shown.length} largest, at the prices of ${html(prices.title)}. Grey is no compaction; ticks below are events, red where the window forced them; the dashed line is the window.</p>${parts.join('\n')}</section>`;
}

function sawtooth(result: ReplayResult, all: readonly ReplayResult[]): string {
  const none = all.find(({ policy }) => policy === 'none');
  const peak = Math.max(...all.map(({ peakTokens }) => peakTokens));
  // The window is shown only where it matters.
  const most = peak > result.window * NEAR_WINDOW ? Math.max(peak, result.window) : peak;
  return smallPlot({
    title: result.policy,
    label: `${result.events.length} events, peak ${thousands(result.peakTokens)}`,
    lines: [
      ...(none === undefined || none === result ? [] : [{ values: none.sizes, style: 'line base' }]),
      { values: result.sizes, style: isOurs(result.policy) ? 'line ours' : 'line' },
    ],
    marks: result.events.map(({ request, isForced }) => ({ at: request, style: isForced ? 'mark forced' : 'mark' })),
    limit: result.window,
    most,
    topText: `${result.requests} requests`,
  });
}

function cumulative(result: ReplayResult, all: readonly ReplayResult[]): string {
  const none = all.find(({ policy }) => policy === 'none');
  const most = Math.max(...all.map(({ usd }) => usd));
  const beside =
    none === undefined || none.usd === 0 || none === result ? '' : ` (${changeText(result.usd / none.usd - 1)})`;
  return smallPlot({
    title: result.policy,
    label: `${money(result.usd)}${beside}`,
    lines: [
      ...(none === undefined || none === result ? [] : [{ values: none.spent, style: 'line base' }]),
      { values: result.spent, style: isOurs(result.policy) ? 'line ours' : 'line' },
    ],
    marks: [],
    limit: null,
    most,
    topText: `${result.requests} requests`,
  });
}

const STYLE = `
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--soft:#667;--rule:#d8dce2;--line:#3367b0;--ours:#0b8457;--base:#b3b9c2;--bad:#c0352b;--tint:#eef7f2}
@media (prefers-color-scheme:dark){:root{--back:#14171b;--text:#e6e8eb;--soft:#9aa3ae;--rule:#333a43;--line:#7fb0f5;--ours:#4fd1a1;--base:#59626d;--bad:#ff7b70;--tint:#16271f}}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:1180px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:26px}h2{font-size:20px;margin-top:40px}h3{font-size:15px;color:var(--soft);margin:14px 0 4px}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:4px 9px;text-align:right;border-bottom:1px solid var(--rule)}th:first-child{text-align:left}thead th{color:var(--soft);font-weight:600}tbody th{font-weight:500}
tr.ours{background:var(--tint)}
figure{margin:24px 0}figcaption{color:var(--soft);font-size:13px}
svg{width:100%;height:auto;display:block}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:10px 18px}
details{border:1px solid var(--rule);border-radius:8px;padding:8px 14px;margin:10px 0}summary{cursor:pointer;overflow-wrap:anywhere}summary span{color:var(--soft);font-size:13px}
text{fill:var(--text);font:11px system-ui,sans-serif}text.name{font-weight:600}text.value{fill:var(--soft)}text.small{font-size:10.5px;fill:var(--soft)}
.line{fill:none;stroke:var(--line);stroke-width:1.4}.line.ours{stroke:var(--ours)}.line.base{stroke:var(--base);stroke-width:1}
.axis{stroke:var(--rule)}.limit{stroke:var(--soft);stroke-dasharray:4 4;opacity:.7}.mark{stroke:var(--line);stroke-width:1.2}.mark.forced{stroke:var(--bad)}
.dot{fill:var(--line)}.dot.ours{fill:var(--ours)}
dt{font-weight:600}dd{margin:0 0 6px 18px;color:var(--soft)}
`;
