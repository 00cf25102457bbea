import type { PeersResults, SurvivalRow } from '../../peers/results.ts';
import { causeOf, largestBehind } from '../causes.ts';
import { listed, milliseconds, percent, plural, points, shareText } from '../figures.ts';
import { blocks, left, list, right, table } from '../markdown.ts';
import { aheadOfOurs, isOurs, leadOf, named, TELLER_NAMES, TELLERS, titleOf } from '../rows.ts';
import { nameOfRow } from '../sentences.ts';
import { compared, type Timed, turnSizes, turnsAt } from '../timed.ts';

export function ahead(results: PeersResults): string {
  return blocks('## Where others are ahead', inFacts(results), besides(results));
}

function inFacts(results: PeersResults): string {
  const rows = aheadOfOurs(results);
  if (rows.length === 0) return 'In facts kept at equal size: nowhere in this run.';
  return blocks(
    table(
      [
        left('arm'),
        left('summariser'),
        right('compactions'),
        right('it keeps'),
        right('precis keeps'),
        right('gap'),
        right('size'),
        right('precis has'),
        right('largest such view'),
      ],
      rows.map((row) => [
        titleOf(results, row.arm),
        TELLER_NAMES[row.teller],
        String(row.passes),
        shareText(row),
        row.ours === null ? '' : shareText(row.ours),
        points(leadOf(row) ?? 0),
        percent(row.retained),
        row.ours === null ? '' : percent(row.ours.retained),
        row.behind.length === 0 ? '' : plural(largestBehind(row.behind), 'token'),
      ]),
    ),
    '*largest such view*: the size of the largest of its views that holds more than that of precis.',
    'Why, as far as it is known:',
    list(causes(results, rows)),
  );
}

function causes(results: PeersResults, rows: readonly SurvivalRow[]): readonly string[] {
  return [...Map.groupBy(rows, causeOf)].map(([words, of]) => {
    const names = [...Map.groupBy(of, (row) => nameOfRow(results, row))].map(
      ([name, same]) =>
        `${name} after ${listed(
          same
            .map(({ passes }) => passes)
            .toSorted((one, other) => one - other)
            .map(String),
        )}`,
    );
    return `${names.join('; ')}: ${words}`;
  });
}

/** Other figures in which precis is not the best, each in a sentence. */
function besides(results: PeersResults): string {
  const { passes, noise } = results.cost;
  const found = [
    faster(results, passes, { words: 'A compaction takes less time with', noise: noise.pass }),
    ...turnSizes(results).map((size) =>
      faster(results, turnsAt(results, size), {
        words: `A turn of a session of ${plural(size, 'token')} takes less time with`,
        noise: noise.turn,
      }),
    ),
    lighter(results),
    ...toldMore(results),
  ].filter((sentence) => sentence !== '');
  return found.length === 0 ? '' : blocks('Besides facts:', list(found));
}

/** What is nearer than the noise is not faster. */
function faster(
  results: PeersResults,
  timed: readonly Timed[],
  { words, noise }: { readonly words: string; readonly noise: number },
): string {
  const found = compared(timed, noise);
  if (found === null || found.faster.length === 0) return '';
  const names = found.faster.map(({ arm, ms }) => `${named(results, arm)} (${milliseconds(ms)})`);
  return `${words} ${listed(names)}; precis takes ${milliseconds(found.own.ms)}.`;
}

/** Arms whose views say more of files than ours does with the same summariser. */
function toldMore(results: PeersResults): readonly string[] {
  return TELLERS.flatMap((teller) => {
    const rows = results.files.filter((row) => row.teller === teller);
    const own = rows.find(({ arm }) => isOurs(arm));
    const others = rows.filter(({ arm, told }) => !isOurs(arm) && own !== undefined && told > own.told);
    if (own === undefined || others.length === 0) return [];
    const names = others.map(({ arm, told, retained }) => `${named(results, arm)} (${told}, in ${percent(retained)})`);
    return [
      `What became of files (${TELLER_NAMES[teller]}) is told of more by ${listed(names)}; ${named(results, own.arm)} tells it of ${own.told} of ${own.files}, in ${percent(own.retained)}.`,
    ];
  });
}

function lighter(results: PeersResults): string {
  const own = results.cost.passes.find(({ arm }) => arm === 'precis');
  const others = results.cost.passes.filter(
    ({ arm, peakMb }) => !isOurs(arm) && own !== undefined && peakMb < own.peakMb,
  );
  if (own === undefined || others.length === 0) return '';
  const names = others.map(({ arm, peakMb }) => `${named(results, arm)} (${peakMb.toFixed(0)} MB)`);
  return `A compaction takes less memory with ${listed(names)}; precis takes ${own.peakMb.toFixed(0)} MB.`;
}
