import { at, colour, escaped, svg } from '../chart-svg.ts';
import type { PeersResults, SurvivalRow, Teller } from '../peers/results.ts';
import { partOf, percent, plural, shareText } from './figures.ts';
import { isOurs, lastRows, mostPasses, TELLERS, titleOf } from './rows.ts';

const WIDTH = 860;
const NAMES = 260;
const END = WIDTH - 130;
const ROW = 24;
const GROUP = 30;
const TOP = 84;

const HEADINGS: Readonly<Record<Teller, string>> = {
  none: 'without a model',
  silent: 'the summariser states no facts',
  forgetful: 'each summary leaves out a quarter of the facts',
  rewording: 'the summariser states all facts in its own words',
  perfect: 'the summariser is perfect',
};

/** Horizontal bars, because the names are long: facts kept by each arm, and a mark for precis at the same size. */
export function survivalChart(results: PeersResults): string {
  const body: string[] = [];
  let y = TOP;
  for (const teller of TELLERS) {
    const rows = lastRows(results, teller).filter(({ facts }) => facts > 0);
    if (rows.length === 0) continue;
    body.push(`<text x="20" y="${y + 14}" style="font-weight:600">${escaped(HEADINGS[teller])}</text>`);
    y += GROUP;
    for (const row of rows) {
      body.push(...barOf(titleOf(results, row.arm), row, y));
      y += ROW;
    }
    y += 10;
  }
  const height = y + 40;
  return svg({
    width: WIDTH,
    height,
    title: `Facts kept after ${plural(mostPasses(results), 'compaction')}, and view sizes`,
    body: [...legend(), ...grid(y), ...body],
  });
}

function barOf(title: string, row: SurvivalRow, y: number): readonly string[] {
  const end = place(partOf(row) ?? 0);
  const ours = row.ours === null ? null : partOf(row.ours);
  const mark = ours === null ? [] : markAt(place(ours), y);
  // If the mark is near, the figure moves beyond it, so that neither hides the other.
  const near = ours !== null && place(ours) > end - 4 && place(ours) < end + 92;
  const label = near && ours !== null ? place(ours) + 6 : end + 6;
  return [
    `<text class="end" x="${NAMES - 10}" y="${y + 12}">${escaped(title)}</text>`,
    `<g class="${colour(isOurs(row.arm) ? 0 : 7)}"><rect class="bar" x="${NAMES}" y="${y + 1}" width="${at(Math.max(1, end - NAMES))}" height="14" rx="2"/></g>`,
    ...mark,
    `<text x="${at(label)}" y="${y + 12}">${escaped(`${shareText(row)} in ${percent(row.retained)}`)}</text>`,
  ];
}

/** With a rim, so that it stays visible on a bar. */
function markAt(x: number, y: number): readonly string[] {
  const path = `M${at(x)} ${y - 1}v18`;
  return [
    `<path d="${path}" style="stroke:var(--paper);stroke-width:6"/><g class="c0"><path class="line" d="${path}"/></g>`,
  ];
}

function legend(): readonly string[] {
  return [
    '<g class="c0"><rect class="bar" x="20" y="46" width="12" height="12" rx="2"/></g><text x="38" y="56">precis</text>',
    '<g class="c7"><rect class="bar" x="100" y="46" width="12" height="12" rx="2"/></g><text x="118" y="56">others</text>',
    '<g class="c0"><path class="line" d="M186 44v16"/></g><text x="196" y="56">precis at the view size of this arm</text>',
    '<text class="soft" x="480" y="56">“in 20 %”: view size as a share of the sessions</text>',
  ];
}

function grid(bottom: number): readonly string[] {
  return [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<path class="rule" d="M${at(place(part))} ${TOP - 8}V${bottom}"/><text class="soft mid" x="${at(place(part))}" y="${bottom + 18}">${100 * part} %</text>`,
  );
}

function place(part: number): number {
  return NAMES + part * (END - NAMES);
}
